import { expect, test } from 'vitest';
import type { PanelAnswer } from '../../app/components/panel.tsx';
import { findSharedProblem } from '../../app/components/panel.tsx';

const failed = (code: string, flag?: string): PanelAnswer<never> => ({
  ok: false,
  problem: { code, error: code, status: 403, request_id: '1', flag },
});
const given: PanelAnswer<number> = { ok: true, data: 1 };

test('only what all answers have in common is said once', () => {
  const [denied, limited] = [failed('upstream_forbidden'), failed('upstream_rate_limited')];
  expect(findSharedProblem([denied, null, undefined, denied])?.code).toBe('upstream_forbidden');
  expect(findSharedProblem([denied, limited])).toBeNull();
  expect(findSharedProblem([denied, given])).toBeNull();
  expect(findSharedProblem([])).toBeNull();
});

test('features that are not granted are named one by one', () => {
  const hidden = failed('forbidden', 'dora');
  expect(findSharedProblem([hidden, hidden])).toBeNull();
});
