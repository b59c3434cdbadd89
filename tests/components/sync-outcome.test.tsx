// @vitest-environment jsdom
import { act, fireEvent, render, screen } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { createRoutesStub } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { maxCalls } from '../../app/routes/reports/continuation.ts';
import { type Result, SyncOutcome } from '../../app/routes/reports/sync-outcome.tsx';

const one = (more: Partial<Result['results'][number]> = {}): Result['results'][number] => ({
  repo: 'octo/web',
  status: 'partial',
  synced: 0,
  total_in_db: 200,
  latest_run_id: 1,
  alerts_fired: 0,
  synced_through: null,
  ...more,
});

const answer = (partial: boolean, result = one()): Result => ({
  ok: true,
  partial,
  repos_total: 1,
  repos_synced: 1,
  repos_failed: 0,
  repos_skipped: 0,
  repos_remaining: 0,
  runs_upserted: result.synced,
  alerts_fired: 0,
  duration_ms: 1500,
  results: [result],
});

/** The outcome on a page of a service that gives these answers one after the other, the last for ever. */
function page(first: Result, ...answers: object[]) {
  return renderPage({ first, background: 'none', answers });
}

interface Page {
  first: Result;
  background: 'none' | 'going';
  answers: object[];
}

function renderPage({ first, background, answers }: Page) {
  const requests: unknown[] = [];
  let reads = 0;
  vi.stubGlobal('fetch', async (path: string, { method, body }: { method: string; body: string }) => {
    requests.push([method, path, JSON.parse(body)]);
    return Response.json(answers[Math.min(requests.length, answers.length) - 1]);
  });
  const hidden = { owner: 'octo', repo: 'web' };
  const Component = () => (
    <SyncOutcome result={first} background={background} csrf="c" hidden={hidden} now={0} zone="UTC" />
  );
  const Stub = createRoutesStub([{ path: '/', id: 'page', Component, loader: () => ++reads }]);
  return {
    asked: requests,
    reads: () => reads,
    stub: <Stub initialEntries={['/']} hydrationData={{ loaderData: { page: 0 } }} />,
  };
}

/** In short steps, as the page is drawn anew only between them. */
async function wait(ms: number) {
  for (let waited = 0; waited < ms; waited += 500) await act(() => vi.advanceTimersByTimeAsync(500));
}
const state = () => screen.getByRole('status').textContent;

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('goes on when a call changed nothing, until nothing is left', async () => {
  const { asked, reads, stub } = page(answer(true), answer(true), answer(false, one({ status: 'ok', synced: 7 })));
  render(stub);
  expect(state()).toContain('Going on by itself');
  await wait(5000);
  expect(asked).toEqual(Array(2).fill(['POST', '/api/db/sync', { owner: 'octo', repo: 'web' }]));
  expect(state()).toContain('7 runs new or changed');
  expect(screen.queryByRole('button')).toBeNull();
  expect(reads()).toBe(2);
  await wait(20_000);
  expect(asked).toHaveLength(2);
});

test('leaves what the service reads in the background to it', async () => {
  const { asked, stub } = renderPage({ first: answer(true), background: 'going', answers: [answer(true)] });
  expect(renderToString(stub)).not.toContain('<button');
  render(stub);
  await wait(5000);
  expect(asked).toEqual([]);
  expect(state()).toContain('The rest is read in the background');
  expect(screen.queryByRole('button')).toBeNull();
});

test('stops after so many calls, says so, and leaves a button', async () => {
  const { asked, stub } = page(answer(true), answer(true));
  render(stub);
  await wait(60_000);
  expect(asked).toHaveLength(maxCalls);
  expect(state()).toContain(`Stopped after ${maxCalls} further calls`);
  expect(screen.getByRole('button', { name: 'Continue' })).toBeTruthy();
});

test.each([
  ['the quota is spent', answer(true, one({ code: 'upstream_rate_limited', error: 'Used up.' })), 'used up'],
  ['a call is refused', { code: 'rate_limited', error: 'Too many calls.' }, 'reads the rest'],
])('does not go on when %s', async (_case, reply, text) => {
  const { asked, stub } = page(answer(true), reply);
  render(stub);
  await wait(20_000);
  expect(asked).toHaveLength(1);
  expect(state()).toContain(text);
  expect(screen.getByRole('button', { name: 'Continue' })).toBeTruthy();
  if ('error' in reply) expect(screen.getByRole('alert').textContent).toContain('Too many calls.');
});

test('can be stopped before the next call', async () => {
  const { asked, stub } = page(answer(true), answer(true));
  render(stub);
  await wait(100);
  fireEvent.click(screen.getByRole('button', { name: 'Stop' }));
  await wait(20_000);
  expect(asked).toHaveLength(0);
  expect(screen.getByRole('button', { name: 'Continue' })).toBeTruthy();
});

test('without scripts there is a button while anything is left, and none after', () => {
  expect(renderToString(page(answer(true)).stub)).toMatch(/<button type="submit">Continue<\/button>/);
  expect(renderToString(page(answer(false, one({ status: 'ok' }))).stub)).not.toContain('<button');
});

test.each([
  ['locked', 'In progress elsewhere: 1 repository.'],
  ['error', 'Failed: 1 repository.'],
] as const)('is not done while a row is %s', (status, text) => {
  const { stub } = page(answer(false, one({ status })));
  const { container } = render(stub);
  expect(container.textContent).not.toContain('Done.');
  expect(container.textContent).toContain(text);
});
