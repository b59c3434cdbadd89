// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { NoServiceToken } from '../../app/components/notice.tsx';

test('says when rules on runs are evaluated, also where nothing runs by itself', () => {
  render(<NoServiceToken />);
  const text = screen.getByText(/CODEHOST_TOKEN is not set/).parentElement?.textContent;
  expect(text).toContain('with SCHEDULER=off, webhooks are evaluated with the next cron call');
});
