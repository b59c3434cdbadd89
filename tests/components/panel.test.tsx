// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { Panel, type PanelAnswer, type PanelProps } from '../../app/components/panel.tsx';
import type { PanelProblem } from '../../app/components/panel-failure.tsx';
import { drawInRoot } from './in-root.tsx';

const now = '2026-05-20T03:20:00Z';
const zone = 'Asia/Saigon';

function show(result: PanelAnswer<number>, more: Partial<PanelProps<number>> = {}) {
  drawInRoot(
    <Panel title="Workload" result={result} {...more}>
      {(data) => <p>{`${data} people`}</p>}
    </Panel>,
    { now: Date.parse(now), zone, base: '' },
    '/team?org=octo',
  );
  return screen.getByRole('region', { name: 'Workload' }).textContent?.replaceAll('\u00a0', ' ') ?? '';
}
const expectRejected = (problem: Partial<PanelProblem>): PanelAnswer<number> => ({
  ok: false,
  problem: { code: 'internal', error: 'The upstream said <b>no</b>', status: 500, request_id: 'req-1', ...problem },
});

test('an answer is handed to the content', () => {
  expect(show({ ok: true, data: 7 })).toContain('7 people');
});

test('a partial answer says so, unless the page says it elsewhere', () => {
  const notes = { partial: true, stale: false, asOf: null, source: 'live' };
  const result = { ok: true as const, data: 7, notes };
  expect(show(result)).toContain('Incomplete. Counts are minimums.');
  cleanup();
  expect(show(result, { whenPartial: null })).not.toContain('Incomplete.');
  cleanup();
  const unread = { ...result, notes: { ...notes, partialReason: 'one was cut off' } };
  expect(show(unread, { whenPartial: null })).toContain('One was cut off.');
});

const unreadable = 'The answer of the platform to "list workflows" could not be parsed: total_count.';

describe('an error is reported in words', () => {
  test.each<[Partial<PanelProblem>, string]>([
    [
      { code: 'forbidden', status: 403, flag: 'workloadRisk' },
      'The feature “workload risk” is not granted to your groups. Ask an administrator',
    ],
    [{ code: 'forbidden', status: 403, flag: 'admin' }, 'Only administrators can open this.'],
    [{ code: 'not_found', status: 404 }, 'It does not exist, or your account cannot see it.'],
    [
      { code: 'upstream_rate_limited', status: 429, details: { retry_after_s: 720 } },
      'It resets at 20 May 2026, 10:32 (Asia/Saigon), in 12 min.',
    ],
    [{ code: 'rate_limited', status: 429 }, 'Try again in a few minutes.'],
    [{ code: 'authz_unavailable', status: 503 }, 'Your access could not be checked.'],
    [{ code: 'upstream_unavailable', status: 502 }, 'codehost.example not reachable.'],
    [
      {
        code: 'upstream_unavailable',
        status: 502,
        error: unreadable,
        details: { upstream_operation: 'list workflows' },
      },
      `Invalid response. ${unreadable}`,
    ],
    [{ code: 'db_not_configured', status: 503 }, 'This needs a database. Set DATABASE_URL'],
    [{ code: 'db_unavailable', status: 503 }, 'Stored data is not available'],
    [{ code: 'invalid_request', status: 400, error: 'days must be 30 or 90.' }, 'days must be 30 or 90.'],
  ])('%o', (problem, text) => {
    expect(show(expectRejected(problem))).toContain(text);
  });
});

test('the name of a feature that is not granted comes from the page', () => {
  const text = show(expectRejected({ code: 'forbidden', status: 403, flag: 'workloadRisk' }), {
    feature: { label: 'Workload radar', shows: 'who may carry too much' },
  });
  expect(text).toContain('Workload radar shows who may carry too much. Ask an administrator for access.');
});

test.each(['internal', 'upstream_unavailable', 'db_unavailable', 'never_heard_of'])(
  '%s shows the request, a retry, and nothing of the cause',
  (code) => {
    const text = show(expectRejected({ code, error: 'TypeError: x at /srv/app.js:3' }), { retryHref: '?again=1' });
    expect(text).toContain('req-1');
    expect(text).not.toContain('TypeError');
    expect(screen.getByRole('link', { name: 'Try again' })).toBeTruthy();
  },
);

test('without an address to retry, the link leads to the page as it is', () => {
  expect(show(expectRejected({}))).toContain('Try again');
  expect(screen.getByRole('link', { name: 'Try again' }).getAttribute('href')).toBe('/team?org=octo');
});

test('retrying is not offered where it cannot help', () => {
  show(expectRejected({ code: 'forbidden', status: 403, flag: 'dora' }), { retryHref: '?again=1' });
  expect(screen.queryByRole('link', { name: 'Try again' })).toBeNull();
});

test('single sign-on is linked', () => {
  show(expectRejected({ code: 'sso_required', status: 403, details: { sso_url: 'https://codehost.example/sso' } }));
  expect(screen.getByRole('link', { name: /Authorize/ }).getAttribute('href')).toBe('https://codehost.example/sso');
});

test('a partial answer says what was excluded', () => {
  const partialReason = 'reviews of 3 closed pull requests could not be read';
  const notes = { partial: true, partialReason, stale: false, asOf: null, source: 'live' };
  expect(show({ ok: true, data: 7, notes })).toContain('Reviews of 3 closed pull requests could not be read.');
});

test('a partial answer says so beside its numbers', () => {
  const notes = { partial: true, stale: false, asOf: null, source: 'live' };
  const text = show({ ok: true, data: 7, notes });
  expect(text).toContain('Incomplete.');
  expect(text).toContain('7 people');
});

test('an old answer says as of when, and offers the sync', () => {
  const notes = { partial: false, stale: true, asOf: '2026-05-18T06:20:00Z', source: 'database' };
  expect(show({ ok: true, data: 7, notes }, { syncHref: '/sync' })).toContain('As of 18 May 2026, 13:20 (2 days ago).');
  expect(screen.getByRole('link', { name: 'Sync now' })).toBeTruthy();
});
