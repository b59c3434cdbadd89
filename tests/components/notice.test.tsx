// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { NoServiceToken } from '../../app/components/notice.tsx';

test('without a service token one sentence says what does not run, and the documentation the rest', () => {
  render(<NoServiceToken />);
  const text = screen.getByText(/CODEHOST_TOKEN is not set/).parentElement?.textContent ?? '';
  expect(text).toContain(
    'Nightly syncs, rules on pull requests and commits, daily digests and weekly emails do not run.',
  );
  expect(text.split(/\s+/).length).toBeLessThan(25);
  expect(screen.getByRole('link').getAttribute('href')).toBe('/docs/jobs#nightly-jobs');
});
