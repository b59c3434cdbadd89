import { describe, expect, test } from 'vitest';
import { toWire } from '../../../server/api/wire.ts';
import { utcDayText } from '../../../server/domain/day-text.ts';
import { listReadings } from '../../../server/reports/data-coverage/readings.ts';
import { CollectionReport, type Filling, type Resource } from '../../../server/reports/data-coverage/schema.ts';
import type { KnownReadings } from '../../../server/reports/data-coverage/status.ts';
import type { Pass } from '../../../server/sync/cursor.ts';

const day = 86_400_000;
const now = Date.UTC(2026, 10, 16, 10);
const ago = (days: number) => now - days * day;
const iso = (at: number) => new Date(at).toISOString();

type Cursor = KnownReadings['cursors'][number];

const cursor = (kind: Cursor['kind'], differing: Partial<Cursor> = {}): Cursor => ({
  kind,
  syncedThrough: ago(1),
  backfilledTo: ago(80),
  resume: null,
  lastFinishedAt: ago(0.5),
  lastError: null,
  ...differing,
});

const known = (differing: Partial<KnownReadings> = {}): KnownReadings => ({
  owner: 'octo',
  repo: 'web',
  codehostId: 1,
  tracked: true,
  unreachableSince: null,
  lastErrorCode: null,
  cursors: [],
  states: [],
  firstRunAt: null,
  jobs: { attempts: 0, lastReadAt: null },
  merged: { total: 0, unread: 0, truncated: 0, oldestReadAt: null, newestReadAt: null },
  ...differing,
});

const by = {
  runsStoredSince: ago(400),
  mergedSince: ago(90),
  day: utcDayText,
  host: 'codehost.example',
};
const every: Filling[] = ['sync_now', 'nightly', 'page', 'webhook'];

const Readings = CollectionReport.shape.readings;

/** As the answer writes it. */
const reading = (resource: Resource, of: KnownReadings | null, { judged = by, open = every } = {}) =>
  Readings.parse(toWire(Readings, listReadings('octo/web', of, judged, open))).find((one) => one.resource === resource);

const pass = (differing: Partial<Pass>): Pass => ({
  kind: 'forward',
  from: ago(4),
  readDownTo: ago(2),
  page: 1,
  through: ago(0.1),
  afterwards: null,
  ...differing,
});

const runs = (differing: Partial<Cursor>) => reading('workflow_runs', known({ cursors: [cursor('runs', differing)] }));

describe('runs', () => {
  test('are complete from where the backfill ended', () => {
    expect(runs({})).toMatchObject({ state: 'complete', from: iso(ago(80)), through: iso(ago(1)), missing: null });
    expect(runs({})?.last_read_at).toBe(iso(ago(0.5)));
  });

  test('are not claimed beyond what is stored', () => {
    const of = known({ cursors: [cursor('runs')] });
    const from = reading('workflow_runs', of, { judged: { ...by, runsStoredSince: ago(30) } })?.from;
    expect(from).toBe(iso(ago(30)));
  });

  const first = { syncedThrough: null, backfilledTo: null };
  test.each<[string, Partial<Cursor>, string, number | null, number | null]>([
    [
      'a first reading that has only begun',
      { ...first, resume: pass({ from: ago(90), readDownTo: now + 3 * day }) },
      'Runs since 18 Aug 2026 have not been synced yet.',
      null,
      null,
    ],
    [
      'a first reading in its middle',
      { ...first, resume: pass({ from: ago(90), readDownTo: ago(30) }) },
      'Runs older than 17 Oct 2026, back to 18 Aug 2026, have not been synced yet.',
      ago(30),
      ago(0.1),
    ],
    ['new ones', { resume: pass({}) }, 'Not all runs created since 15 Nov 2026 have been synced yet.', ago(80), ago(1)],
    [
      'later attempts',
      { resume: pass({ kind: 'deep', from: ago(31) }) },
      'Runs since 16 Oct 2026 are being checked for later attempts.',
      ago(80),
      ago(1),
    ],
    [
      'older ones',
      { resume: pass({ kind: 'backfill', from: ago(120), readDownTo: ago(100) }) },
      'Runs older than 8 Aug 2026, back to 19 Jul 2026, have not been synced yet.',
      ago(100),
      ago(1),
    ],
    [
      'new ones before older ones',
      { resume: pass({ afterwards: pass({ kind: 'backfill', from: ago(120), readDownTo: ago(100) }) }) },
      'Not all runs created since 15 Nov 2026 have been synced yet. Runs older than 8 Aug 2026, back to 19 Jul 2026, have not been synced yet.',
      ago(80),
      ago(1),
    ],
  ])('are partial while there are left: %s', (_what, differing, missing, from, through) => {
    const [begins, ends] = [from, through].map((at) => (at === null ? null : iso(at)));
    expect(runs(differing)).toMatchObject({ state: 'partial', missing, from: begins, through: ends });
  });
});

describe('pull requests and their commits', () => {
  const complete = { kind: 'pull_requests' as const, floor: ago(90), through: ago(0.2), capped: false, oldestAt: null };
  const merged = { total: 3, unread: 0, truncated: 0, oldestReadAt: ago(80), newestReadAt: ago(2) };
  const commits = cursor('commits', { backfilledTo: null });

  test('pull requests are partial while their first reading is under way, and count nothing yet', () => {
    const of = known({ cursors: [cursor('prs', { resume: { page: 'x' } })], merged });
    expect(reading('pull_requests', of)).toMatchObject({
      state: 'partial',
      from: null,
      through: null,
      missing: 'The first sync is in progress: 3 merged pull requests since 18 Aug 2026 are stored so far.',
    });
    expect(reading('pull_requests', known({ cursors: [cursor('prs')], states: [complete] }))).toMatchObject({
      state: 'complete',
      from: iso(ago(90)),
      last_read_at: iso(ago(0.2)),
    });
  });

  test('commits are complete once every pull request is read with all of its commits', () => {
    const of = known({ cursors: [commits], states: [complete], merged });
    expect(reading('pull_request_commits', of)).toMatchObject({
      state: 'complete',
      from: iso(ago(90)),
      through: iso(ago(1)),
      missing: null,
      missing_count: 0,
      expected_count: 3,
    });
    const unlisted = reading('pull_request_commits', { ...of, states: [] });
    expect([unlisted?.state, unlisted?.missing]).toEqual([
      'partial',
      'Not all pull requests merged since 18 Aug 2026 have been synced.',
    ]);
    const cut = reading('pull_request_commits', { ...of, merged: { ...merged, truncated: 1 } });
    expect([cut?.state, cut?.missing]).toEqual(['partial', 'Only the first 500 commits of 1 are stored.']);
  });

  test('of a repository without merged pull requests they are complete once it was looked at', () => {
    const none = { total: 0, unread: 0, truncated: 0, oldestReadAt: null, newestReadAt: null };
    const of = known({ states: [complete], merged: none });
    expect(reading('pull_request_commits', of)?.state).toBe('never');
    expect(reading('pull_request_commits', { ...of, cursors: [commits] })?.state).toBe('complete');
  });

  test('the error that ended a reading is reported', () => {
    const problem = { syncedThrough: null, lastError: 'upstream_forbidden' };
    const cursors = (['runs', 'prs', 'commits'] as const).map((kind) => cursor(kind, problem));
    for (const resource of ['workflow_runs', 'pull_requests', 'pull_request_commits'] as const)
      expect(reading(resource, known({ cursors }))).toMatchObject({
        state: 'never',
        last_error: 'upstream_forbidden',
        last_read_at: iso(ago(0.5)),
      });
    const unread = { ...merged, unread: 3, oldestReadAt: null, newestReadAt: null };
    expect(reading('pull_request_commits', known({ cursors, merged: unread }))).toMatchObject({
      state: 'never',
      missing_count: 3,
      expected_count: 3,
    });
  });

  test('it is not, once somebody has read further since', () => {
    const problem = runs({ lastError: 'upstream_forbidden' });
    expect([problem?.state, problem?.last_error]).toEqual(['complete', 'upstream_forbidden']);
    const mended = runs({ lastError: 'upstream_forbidden', syncedThrough: ago(0.1) });
    expect([mended?.last_error, mended?.last_read_at]).toEqual([null, iso(ago(0.1))]);
  });
});

test('only ways that are set up are named, and nightly work for tracked repositories alone', () => {
  const filled = (of: KnownReadings | null, open: Filling[]) => reading('workflow_runs', of, { open })?.filled_by;
  expect(filled(known(), every)).toEqual(['sync_now', 'nightly', 'webhook']);
  expect(filled(known({ tracked: false }), every)).toEqual(['sync_now', 'webhook']);
  expect(filled(null, every)).toEqual(['sync_now', 'webhook']);
  expect(filled(known(), ['sync_now', 'page'])).toEqual(['sync_now']);
});
