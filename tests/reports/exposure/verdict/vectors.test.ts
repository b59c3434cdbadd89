import { describe, expect, test } from 'vitest';
import type { LedgerRow } from '../../../../server/metrics/security/ref-ledger.ts';
import type {
  ExecutedFile,
  JobEvidence,
  ReachedUse,
  RefFacts,
} from '../../../../server/reports/exposure/verdict/job-evidence.ts';
import { judgeJob } from '../../../../server/reports/exposure/verdict/judge-job.ts';
import { type Match, mayMatch, type Suspect } from '../../../../server/reports/exposure/verdict/suspect.ts';
import { findWorst, judgeRepository } from '../../../../server/reports/exposure/verdict/verdict.ts';
import type { UsedRef } from '../../../../server/scan/action-uses.ts';

const hour = 3_600_000;
const noon = Date.UTC(2026, 2, 14, 12);
const [evil, good] = ['e'.repeat(40), 'a'.repeat(40)];

const suspectOf = (...match: Match[]): Suspect => ({
  kind: 'action',
  actionKeys: ['a/b'],
  path: '',
  match,
  hasKnownId: true,
  hasCommitsOnly: true,
  window: { from: noon - 20 * hour, to: noon + 20 * hour },
});
const sha: Match = { type: 'sha', value: evil };
const use = (ref: string, actionKey = 'a/b', more: Partial<ReachedUse> = {}): ReachedUse => ({
  actionKey,
  path: '',
  kind: 'action',
  ref,
  via: [],
  readAt: [good, evil],
  wasSkipped: false,
  ...more,
});
const fileOf = (...uses: ReachedUse[]): ExecutedFile => ({
  uncertain: null,
  uses,
  unknown: [],
  hasUnknownNames: false,
});
const job: JobEvidence = {
  repository: 'octo/app',
  headSha: 'd'.repeat(40),
  startedAt: noon,
  completedAt: noon + hour,
  hasBegun: true,
  log: null,
  hasUnknownNames: false,
  missingLog: 'log_expired',
  file: fileOf(use('v4')),
  observed: null,
  called: null,
};
const log = (commit: string, more: { isInStep?: boolean; isComplete?: boolean; digest?: string } = {}) => ({
  isComplete: more.isComplete ?? true,
  downloads: [
    {
      actionKey: 'a/b',
      ref: 'v4',
      commit,
      digest: more.digest ?? null,
      at: noon,
      isInStep: more.isInStep ?? false,
      isAtOtherTime: false,
    },
  ],
});
const row = (commit: string, observedFrom: number, observedTo: number): LedgerRow => ({
  observedFrom,
  observedTo,
  state: 'present',
  commit,
  tagObject: null,
  codehostId: 1,
  repository: 'a/b',
  previousCommit: null,
  moveClass: null,
  alarm: null,
  judgedAt: null,
});
const nothing: RefFacts = { history: () => [], immutable: () => null, isOlder: () => false, isShown: () => true };
const ledger = (...rows: LedgerRow[]): RefFacts => ({ ...nothing, history: () => rows });
const judge = (more: Partial<JobEvidence>, facts = nothing, suspect = suspectOf(sha)) =>
  judgeJob(suspect, { ...job, ...more }, facts);

describe('the vectors of section 1.15', () => {
  test('1: a log line with the compromised commit', () => {
    expect(judge({ log: log(evil) })).toMatchObject({ verdict: 'proven', proof: { kind: 'log_line' } });
  });

  test('2: a whole log with another commit', () => {
    expect(judge({ log: log(good) })).toMatchObject({ verdict: 'no', proof: { kind: 'N1' } });
    const called: Suspect = { ...suspectOf(sha), kind: 'reusable_workflow' };
    expect(judge({ log: log(good), file: null }, nothing, called).verdict).toBe('unknown');
  });

  test('25: a whole log with a name that may be a former one of it', () => {
    const whole = { log: log(good), file: null, hasUnknownNames: true };
    expect(judge(whole)).toMatchObject({ verdict: 'no', proof: { kind: 'N1' } });
    const byRef: Suspect = { ...suspectOf(sha), actionKeys: ['new/name'], match: [{ type: 'ref', value: 'v1' }] };
    expect(judge({ ...whole, hasUnknownNames: false }, nothing, byRef)).toMatchObject({ verdict: 'no' });
    expect(judge(whole, nothing, byRef).verdict).toBe('unknown');
    const unresolved = { ...suspectOf(sha), actionKeys: ['new/name'], hasCommitsOnly: false };
    expect(judge(whole, nothing, unresolved).verdict).toBe('unknown');
    const file = { ...fileOf(use(good, 'x/y')), hasUnknownNames: true };
    expect(judge({ file })).toMatchObject({ verdict: 'no', proof: { kind: 'N2' } });
    for (const suspect of [byRef, unresolved])
      expect(judge({ file }, nothing, suspect)).toMatchObject({ verdict: 'unknown', reasons: ['commit_not_known'] });
  });

  test('25: a name of which nobody knows the id tells it apart from no other', () => {
    const whole = { log: log(good), file: null };
    const byRef: Suspect = {
      ...suspectOf({ type: 'ref', value: 'v1' }),
      actionKeys: ['former/name'],
      hasKnownId: false,
    };
    expect(judge(whole, nothing, byRef).verdict).toBe('unknown');
    expect(judge({ file: fileOf(use(good)) }, nothing, byRef)).toMatchObject({
      verdict: 'unknown',
      reasons: ['commit_not_known'],
    });
    expect(judge(whole, nothing, { ...byRef, match: [sha] })).toMatchObject({ verdict: 'no', proof: { kind: 'N1' } });
  });

  test('18: a pin to the id of a tag leads to the commit of that tag', () => {
    const tag = 'f'.repeat(40);
    const pinned = (readAt: string[]) => judge({ file: fileOf(use(tag, 'a/b', { readAt })), hasBegun: null });
    expect(pinned([evil])).toMatchObject({ verdict: 'possible', likelihood: 'likely' });
    expect(pinned([good])).toMatchObject({ verdict: 'no', proof: { kind: 'N4' } });
    expect(pinned([])).toMatchObject({ verdict: 'unknown' });
    const byOtherName = judge({ file: fileOf(use(tag, 'x/y', { readAt: [evil] })), hasBegun: null });
    expect(byOtherName).toMatchObject({ verdict: 'possible' });
    const line = { ...log(evil), downloads: log(evil).downloads.map((one) => ({ ...one, ref: tag })) };
    expect(judge({ log: line })).toMatchObject({ verdict: 'proven', proof: { kind: 'log_line' } });
  });

  test('3: the ledger at the compromised commit, the log expired', () => {
    const found = judge({}, ledger(row(evil, noon - hour / 2, noon + hour / 2)));
    expect(found).toEqual({ verdict: 'possible', reasons: ['log_expired'], likelihood: 'likely' });
  });

  test('4 and 5: clean observations around do not clear, an immutable release of before does', () => {
    const clean = ledger(row(good, noon - 9 * hour, noon + 15 * hour));
    const found = judge({}, clean);
    expect(found).toMatchObject({ verdict: 'possible', likelihood: 'unlikely' });
    expect(found).toMatchObject({ reasons: ['between_observations', 'log_expired'] });
    const immutable = (seenAt: number): RefFacts => ({ ...clean, immutable: () => ({ commit: good, seenAt }) });
    expect(judge({}, immutable(noon - 30 * hour))).toMatchObject({ verdict: 'no', proof: { kind: 'N5' } });
    expect(judge({}, immutable(noon - hour)).verdict).toBe('possible');
    const branch = { file: fileOf(use('refs/heads/v1')) };
    expect(judge(branch, immutable(noon - 30 * hour)).verdict).toBe('possible');
  });

  test('6: pinned to another commit', () => {
    expect(judge({ file: fileOf(use(good)) })).toMatchObject({ verdict: 'no', proof: { kind: 'N4' } });
    expect(judge({ file: fileOf(use(evil)) })).toMatchObject({ verdict: 'proven', proof: { kind: 'pinned_in_file' } });
    expect(judge({ file: fileOf(use(evil)), hasBegun: null })).toMatchObject({
      verdict: 'possible',
      reasons: ['job_not_matched'],
    });
  });

  test('7: pinned to a composite action that uses the compromised ref', () => {
    const outer = use(good, 'x/outer');
    const found = judge({ file: fileOf(outer, use('v1', 'a/b', { via: [outer] })) });
    expect(found).toMatchObject({ verdict: 'possible' });
  });

  test('10: attempts are judged by their own time, the run by the worst of them', () => {
    const first = judge({ startedAt: noon - 40 * hour, completedAt: noon - 39 * hour });
    expect(first).toMatchObject({ verdict: 'no', proof: { kind: 'N6' } });
    const second = judge({ log: log(evil) });
    expect(findWorst([first, second])).toBe(second);
    expect(judge({ startedAt: noon - 40 * hour, completedAt: null }).verdict).toBe('possible');
  });

  test('12: a job that never began', () => {
    expect(judge({ hasBegun: false })).toMatchObject({ verdict: 'no', proof: { kind: 'N3' } });
  });

  test('13: a skipped step was downloaded all the same', () => {
    const file = fileOf(use('v4', 'a/b', { wasSkipped: true }));
    const found = judge({ file });
    expect(found).toMatchObject({ verdict: 'possible' });
    expect(found).toHaveProperty('reasons', ['downloaded_step_skipped', 'ledger_gap', 'log_expired']);
    expect(judge({ file, log: log(evil) }).verdict).toBe('proven');
    expect(judge({ file, log: log(good) })).toMatchObject({ proof: { kind: 'N1' } });
    expect(judge({ file: fileOf(use(evil, 'a/b', { wasSkipped: true })) })).toMatchObject({ verdict: 'possible' });
  });

  test('14: of a matrix one log is missing', () => {
    const jobs = [...Array.from({ length: 39 }, () => judge({ log: log(good) })), judge({})];
    expect(jobs.filter(({ verdict }) => verdict === 'no')).toHaveLength(39);
    expect(findWorst(jobs)?.verdict).toBe('possible');
  });

  test('15: the run names the commit of a called workflow', () => {
    const called: UsedRef = {
      actionKey: 'a/b',
      path: '.github/workflows/x.yml',
      kind: 'reusable_workflow',
      ref: 'main',
    };
    const file = fileOf({ ...called, via: [], readAt: [good], wasSkipped: false });
    const suspect = { ...suspectOf(sha), kind: null };
    expect(judge({ file, called: [{ ...called, commit: evil }] }, nothing, suspect)).toMatchObject({
      verdict: 'proven',
      proof: { kind: 'referenced_workflow' },
    });
    const whatLogsSay = [log(good), log(evil, { isInStep: true, isComplete: false })];
    for (const read of whatLogsSay)
      expect(judge({ file, log: read, called: [{ ...called, commit: evil }] })).toMatchObject({
        verdict: 'proven',
        proof: { kind: 'referenced_workflow' },
      });
    const clean = judge({ file, called: [{ ...called, commit: good }] }, nothing, suspect);
    expect(clean).toMatchObject({ verdict: 'no', proof: { kind: 'N4' } });
  });

  test('16: a use in either of two files that may have run', () => {
    const file = { ...fileOf(use('v4')), uncertain: 'merge_commit_gone' as const };
    expect(judge({ file })).toMatchObject({
      verdict: 'possible',
      reasons: expect.arrayContaining(['merge_commit_gone']),
    });
    const without = judge({ file: { ...file, uses: [] } });
    expect(without).toEqual({ verdict: 'unknown', reasons: ['merge_commit_gone'], likelihood: null });
  });

  test('18: a tag object stands for the commit of its tag', () => {
    const tagged = { ...row(good, noon - hour, noon + hour), tagObject: evil };
    expect(judge({}, ledger(tagged))).toMatchObject({ verdict: 'possible', likelihood: 'likely' });
  });

  test('18: a SHA in the list that may be the id of a tag clears nothing', () => {
    const unresolved = { ...suspectOf(sha), hasCommitsOnly: false };
    expect(judge({ log: log(good) }, nothing, unresolved).verdict).toBe('possible');
    expect(judge({ file: fileOf(use(good)) }, nothing, unresolved).verdict).toBe('possible');
    expect(judge({ log: log(evil) }, nothing, unresolved).verdict).toBe('proven');
  });

  test('19: refs are told apart by case, names are not', () => {
    const lower = suspectOf({ type: 'ref', value: 'v4' });
    expect(judge({ file: fileOf(use('V4')) }, nothing, lower).verdict).toBe('unknown');
    expect(judge({ file: fileOf(use('v4')) }, nothing, lower).verdict).toBe('possible');
    const star = suspectOf({ type: 'ref', value: 'v4*' });
    expect(judge({ file: fileOf(use('refs/tags/v4.2')) }, nothing, star).verdict).toBe('possible');
  });

  test('20: a line within the step of a local action counts where the ledger agrees', () => {
    const inStep = log(evil, { isInStep: true, isComplete: false });
    const agreeing = ledger(row(evil, noon - hour, noon + hour));
    const file: ExecutedFile = { ...fileOf(), unknown: ['local_action_not_in_tree'] };
    expect(judge({ log: inStep, file })).toMatchObject({ verdict: 'possible' });
    expect(judge({ log: inStep, file }, agreeing)).toMatchObject({ verdict: 'proven' });
    // Of these none has a step that could have downloaded it: what stands there was written by one.
    const others = [null, fileOf(use('v4')), { ...file, unknown: [] }, { ...file, uncertain: 'merge_commit_gone' }];
    for (const other of others as (ExecutedFile | null)[])
      expect(judge({ log: inStep, file: other }, agreeing)).toMatchObject({
        verdict: 'possible',
        reasons: ['named_in_step'],
      });
    expect(
      judge({ log: log(good, { isComplete: false }), file: { ...fileOf(), unknown: ['expression'] } }),
    ).toMatchObject({
      verdict: 'unknown',
    });
  });

  test('21: an expression names what is used', () => {
    expect(judge({ file: { ...fileOf(), unknown: ['expression'] } })).toMatchObject({
      verdict: 'unknown',
      reasons: ['expression'],
    });
  });

  test('23: an immutable package by its digest, which clears nothing where another one was downloaded', () => {
    const [listed, other] = [`sha256:${'d'.repeat(64)}`, `sha256:${'c'.repeat(64)}`] as [string, string];
    const suspect = suspectOf({ type: 'digest', value: listed });
    const found = judge({ log: log(good, { digest: listed }) }, nothing, suspect);
    expect(found).toMatchObject({ verdict: 'proven', proof: { kind: 'log_line' } });
    expect(JSON.stringify(found)).toContain(listed);
    expect(judge({ log: log(good, { digest: listed, isInStep: true }) }, nothing, suspect)).toMatchObject({
      verdict: 'possible',
      reasons: ['named_in_step'],
    });
    for (const clean of [log(good, { digest: other }), log(good)])
      expect(judge({ log: clean }, nothing, suspect).verdict).not.toBe('no');
  });

  test('a pin at a commit may be of a package that is listed by its digest alone', () => {
    const suspect = suspectOf({ type: 'digest', value: `sha256:${'d'.repeat(64)}` });
    expect(mayMatch(suspect, good, () => false)).toBe(true);
    expect(mayMatch(suspect, good, () => true)).toBe(false);
    expect(mayMatch(suspect, `sha256:${'c'.repeat(64)}`, () => false)).toBe(false);
    expect(mayMatch(suspectOf(sha, ...suspect.match), good, () => false)).toBe(false);
  });

  test('22: an image by its tag, and by its digest', () => {
    const digest = `sha256:${'d'.repeat(64)}`;
    const suspect = { ...suspectOf({ type: 'digest', value: digest }), kind: null, actionKeys: ['docker://t/scan'] };
    const image = (ref: string) => use(ref, 'docker://t/scan', { kind: 'image' });
    expect(judge({ file: fileOf(image('0.69.4')) }, nothing, suspect).verdict).toBe('possible');
    expect(judge({ file: fileOf(image(digest)) }, nothing, suspect).verdict).toBe('proven');
    expect(judge({ file: fileOf(use(good, 'x/y')) }, nothing, suspect).verdict).toBe('unknown');
  });

  test('24: a list of runs with gaps clears no repository', () => {
    const clean = judge({ log: log(good) });
    expect(judgeRepository([clean], true, noon).verdict).toBe('no');
    expect(judgeRepository([clean], false, noon)).toMatchObject({ verdict: 'unknown', reasons: ['coverage'] });
    expect(judgeRepository([], true, noon)).toMatchObject({ verdict: 'no', proof: { kind: 'N0' } });
    expect(judgeRepository([], false, noon).verdict).toBe('unknown');
  });
});

describe('what is not proven is not said', () => {
  test('a file without the use clears only where all that it uses is pinned', () => {
    expect(judge({ file: fileOf(use(good, 'x/y')) })).toMatchObject({ verdict: 'no', proof: { kind: 'N2' } });
    expect(judge({ file: fileOf(use('v1', 'x/y')) })).toMatchObject({
      verdict: 'unknown',
      reasons: ['indirect_unpinned'],
    });
  });

  test('an action that is certain clears only where what it uses in turn was read', () => {
    expect(judge({ file: fileOf(use(good, 'x/y', { readAt: [] })) })).toMatchObject({
      verdict: 'unknown',
      reasons: ['unreadable_action'],
    });
    const tool = use('v4', 'x/y', { readAt: [good] });
    const downloads = log(good).downloads.map((line) => ({
      ...line,
      actionKey: 'x/y',
      commit: evil.replace('e', 'f'),
    }));
    expect(judge({ file: fileOf(tool), log: { isComplete: false, downloads } })).toMatchObject({
      verdict: 'unknown',
      reasons: ['unreadable_action'],
    });
  });

  test('of a file that was not read, what the repository used by the nightly readings is in reach', () => {
    expect(judge({ file: null, observed: [use('v4')] })).toMatchObject({
      verdict: 'possible',
      reasons: expect.arrayContaining(['unreadable_file']),
    });
    expect(judge({ file: null, observed: [use(evil)] }).verdict).toBe('possible');
    expect(judge({ file: null, observed: [use(good)] }).verdict).toBe('unknown');
    expect(judge({ file: null, observed: null })).toMatchObject({ verdict: 'unknown' });
  });

  test('a pin clears where the compromised commits are listed, or where it is older than them', () => {
    const any = suspectOf({ type: 'any', value: null });
    const older: RefFacts = { ...nothing, isOlder: () => true };
    expect(judge({ file: fileOf(use(good)) }, nothing, any)).toMatchObject({
      verdict: 'possible',
      reasons: ['commit_not_known', 'log_expired'],
    });
    expect(judge({ file: fileOf(use(good)) }, older, any)).toMatchObject({ verdict: 'no', proof: { kind: 'N4' } });
  });

  test('a tag that stands for no version is not outside a range', () => {
    const range = suspectOf({ type: 'version_range', value: '>= 4.0.0, < 4.3.5' });
    const verdict = (ref: string) => judge({ file: fileOf(use(ref)) }, nothing, range);
    expect(verdict('v4')).toMatchObject({ verdict: 'possible' });
    expect(verdict('v4')).toHaveProperty('reasons', ['version_not_comparable', 'ledger_gap', 'log_expired']);
    expect(verdict('v4.3.1').verdict).toBe('possible');
    expect(verdict('v4.3.5').verdict).toBe('unknown');
    expect(verdict(good).verdict).toBe('possible');
    expect(verdict('tool-v4.3.5')).toMatchObject({ verdict: 'possible' });
    expect(verdict('4.3.5.1')).toMatchObject({ verdict: 'possible' });
  });

  test('a path counts with what lies below it, and a listed commit under every name', () => {
    const init = { ...suspectOf({ type: 'any', value: null }), path: 'init' };
    expect(judge({ file: fileOf(use('v1', 'a/b', { path: 'init/deep' })) }, nothing, init).verdict).toBe('possible');
    expect(judge({ file: fileOf(use('v1', 'a/b', { path: 'analyze' })) }, nothing, init).verdict).toBe('unknown');
    expect(judge({ file: fileOf(use(evil, 'fork/b')) }).verdict).toBe('proven');
  });

  describe('a run of the compromised repository itself', () => {
    const any = suspectOf({ type: 'any', value: null });
    const own = { repository: 'a/b', file: null, observed: [], log: log(good) };
    const reads = [null, 'action'] as const;
    const judgeOwn = (kind: Suspect['kind'], more: Partial<JobEvidence> = {}) =>
      judge({ ...own, called: [], log: { isComplete: true, downloads: [] }, ...more }, nothing, { ...any, kind });

    test.each(reads)('is cleared by no log, which names nothing of it, kind %s', (kind) => {
      expect(judgeOwn(kind)).toMatchObject({ verdict: 'possible', reasons: ['unreadable_file'], likelihood: 'open' });
      const file: ExecutedFile = { ...fileOf(), unknown: ['local_action_not_in_tree'] };
      expect(judgeOwn(kind, { file })).toMatchObject({ verdict: 'possible', reasons: ['local_action_not_in_tree'] });
      expect(judgeOwn(kind, { repository: 'octo/app' })).toMatchObject({ verdict: 'no', proof: { kind: 'N1' } });
    });

    test.each(reads)('nor one at a listed commit under another name, kind %s', (kind) => {
      const listed = judge({ ...own, repository: 'fork/b', headSha: evil, called: [] }, nothing, {
        ...suspectOf(sha),
        kind,
      });
      expect(listed).toMatchObject({ verdict: 'possible', reasons: ['unreadable_file'], likelihood: 'likely' });
    });

    test('is cleared by its file where that pins all, and proven by what it downloaded', () => {
      const root = use('d'.repeat(40), 'a/b', { kind: 'reusable_workflow', readAt: ['d'.repeat(40)] });
      const found = judge({ ...own, file: fileOf(root) }, nothing, { ...suspectOf(sha), kind: null });
      expect(found).toMatchObject({ verdict: 'no', proof: { kind: 'N4' } });
      expect(judge({ ...own, log: log(evil) }).verdict).toBe('proven');
    });
  });
});
