import { describe, expect, test } from 'vitest';
import { judgeAttempt, type KnownLog } from '../../../../server/reports/exposure/attempt-log.ts';
import type { JobEvidence, ReachedUse, RefFacts } from '../../../../server/reports/exposure/verdict/job-evidence.ts';
import { judgeJob } from '../../../../server/reports/exposure/verdict/judge-job.ts';
import type { Suspect } from '../../../../server/reports/exposure/verdict/suspect.ts';
import type { LoggedJob } from '../../../../server/store/entities/attempt-log.ts';

const hour = 3_600_000;
const day = 24 * hour;
const noon = Date.UTC(2026, 2, 14, 12);
const [evil, good] = ['e'.repeat(40), 'a'.repeat(40)];
const suspect: Suspect = {
  kind: 'action',
  actionKeys: ['x/y'],
  path: '',
  match: [{ type: 'sha', value: evil }],
  hasKnownId: true,
  hasCommitsOnly: true,
  window: { from: noon, to: noon + day },
};
const nothing: RefFacts = { history: () => [], immutable: () => null, isOlder: () => false, isShown: () => true };
const use = (actionKey: string, ref: string): ReachedUse => ({
  actionKey,
  path: '',
  kind: 'action',
  ref,
  via: [],
  readAt: [good],
  wasSkipped: false,
});
const attemptOf = (more: Partial<JobEvidence> = {}): JobEvidence => ({
  repository: 'octo/app',
  headSha: 'd'.repeat(40),
  startedAt: noon,
  completedAt: noon + hour,
  hasBegun: null,
  log: null,
  hasUnknownNames: false,
  missingLog: 'log_expired',
  file: null,
  observed: [use('x/y', 'v1')],
  called: [],
  ...more,
});
const line = (commit: string, at: number, actionKey = 'x/y') => ({
  actionKey,
  ref: 'v1',
  commit,
  at,
  isInStep: false,
  digest: null,
  isAtOtherTime: false,
});

interface Logged {
  id: number;
  startedAt: number;
  log?: LoggedJob['log'];
  downloads?: ReturnType<typeof line>[];
  /** Whether it ran in this attempt. */
  isOwn?: boolean;
}

/** What logs of the jobs of an attempt say. */
const logOf = (...jobs: Logged[]): KnownLog => ({
  row: {
    runId: 1,
    attempt: 1,
    endedAt: 0,
    readAt: 1,
    jobs: jobs.map(({ id, startedAt, log = 'complete' }) => {
      const times = { startedAt, completedAt: startedAt + hour / 2 };
      return { id, name: `job ${id}`, log, ...times };
    }),
    called: [],
    file: null,
    isPartial: false,
  },
  isCurrent: true,
  isOwn: (jobId) => jobs.find(({ id }) => id === jobId)?.isOwn !== false,
  downloadsOf: (jobId) => jobs.find(({ id }) => id === jobId)?.downloads ?? [],
  hasUnknownNames: () => false,
  isKnownName: () => true,
});
const judge = (attempt: JobEvidence, ...jobs: Logged[]) =>
  judgeAttempt(suspect, attempt, nothing, logOf(...jobs)).judgement;

describe('the vectors of section 1.15 about attempts', () => {
  test('11: a job that a re-run took over is judged once, in the attempt in which it ran', () => {
    const green = { id: 1, startedAt: noon, downloads: [line(evil, noon)] };
    const failed = { id: 2, startedAt: noon, downloads: [line(good, noon)] };
    const again = { id: 3, startedAt: noon + 2 * hour, downloads: [line(good, noon + 2 * hour)] };
    expect(judge(attemptOf(), green, failed)).toMatchObject({ verdict: 'proven', proof: { kind: 'log_line' } });
    const second = attemptOf({ startedAt: noon + 2 * hour, completedAt: noon + 3 * hour });
    expect(judge(second, { ...green, isOwn: false }, again)).toMatchObject({ verdict: 'no', proof: { kind: 'N1' } });
    const late = { ...again, downloads: [line(evil, noon + 2 * hour)] };
    expect(judge(second, { ...green, isOwn: false }, late)).toMatchObject({ verdict: 'proven' });
  });

  test('17: of runs by pull_request_target the file is not certain on either day, and their logs decide', () => {
    for (const begin of [Date.UTC(2025, 11, 7), Date.UTC(2025, 11, 9)]) {
      const window = { from: begin - day, to: begin + day };
      const times = { startedAt: begin, completedAt: begin + hour };
      // The default branch does not use it; that of the pull request may.
      const run = attemptOf({ ...times, observed: [], file: null });
      const found = judgeJob({ ...suspect, window }, run, nothing);
      expect(found).toEqual({ verdict: 'unknown', reasons: ['unreadable_file'], likelihood: null });
      const log = { isComplete: true, downloads: [line(evil, begin)] };
      expect(judgeJob({ ...suspect, window }, { ...run, log }, nothing).verdict).toBe('proven');
      const clean = { isComplete: true, downloads: [line(good, begin)] };
      expect(judgeJob({ ...suspect, window }, { ...run, log: clean }, nothing)).toMatchObject({
        proof: { kind: 'N1' },
      });
    }
  });

  test('29: another action by its tag leaves open what it used, until the log is read', () => {
    const file = { uncertain: null, uses: [use('p/q', 'v1')], unknown: [], hasUnknownNames: false };
    const attempt = attemptOf({ file });
    const open = { verdict: 'unknown', reasons: ['indirect_unpinned'], likelihood: null };
    expect(judge(attempt, { id: 1, startedAt: noon, log: 'expired' })).toEqual(open);
    expect(judge(attempt)).toEqual(open);
    const read = { id: 1, startedAt: noon, downloads: [line(good, noon, 'p/q')] };
    expect(judge(attempt, read)).toMatchObject({ verdict: 'no', proof: { kind: 'N1' } });
    const hit = { ...read, downloads: [...read.downloads, line(evil, noon)] };
    expect(judge(attempt, hit)).toMatchObject({ verdict: 'proven', proof: { kind: 'log_line' } });
  });

  test('30: a job that waited for nine days is judged by its own time, and so is one that ran before', () => {
    const waited = attemptOf({ startedAt: noon - 9 * day, completedAt: noon + hour });
    const inside = { id: 1, startedAt: noon + hour / 2, downloads: [line(evil, noon + hour / 2)] };
    const before = { id: 2, startedAt: noon - 9 * day, downloads: [line(evil, noon - 9 * day)] };
    expect(judge(waited, before, inside)).toMatchObject({ verdict: 'proven', proof: { at: noon + hour / 2 } });
    expect(judge(waited, before)).toMatchObject({ verdict: 'no', proof: { kind: 'N6' } });
    const clean = { ...inside, downloads: [line(good, noon + hour / 2)] };
    expect(judge(waited, before, clean)).toMatchObject({ verdict: 'no', proof: { kind: 'N1' } });
    // Without its log the attempt is judged as a whole: it lasted into that time.
    expect(judgeJob(suspect, waited, nothing).verdict).toBe('possible');
  });
});
