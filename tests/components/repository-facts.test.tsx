import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Facts } from '../../app/routes/repo/facts.tsx';

const summary = {
  default_branch: 'main',
  head_status: 'success',
  visibility: 'private',
  fork: false,
  archived: false,
  latest_run_at: null,
  latest_status: null,
  latest_conclusion: null,
  latest_message: null,
  health: { label: 'fair', score: 67, sample: 9 },
  success_rate: 67,
  success_rate_sample: 9,
  open_prs: 3,
  open_issues: 7,
};

test('the success rate says of which runs it is', () => {
  const { container } = render(<Facts summary={summary as never} now={0} zone="UTC" />);
  expect(container.textContent?.replace(/\s/g, ' ')).toContain('67 % of the last 9 runs that passed or failed');
});
