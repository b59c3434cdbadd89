import type { Instant } from '../../../metrics/kernel/facts.ts';
import type { Download } from '../../../metrics/security/job-log.ts';
import { isBranchName, isFixed, type UsedRef, usedRefKey } from '../../../scan/action-uses.ts';
import { nameUse } from '../../../scan/used-in-turn.ts';
import type { ExecutedFile, JobEvidence, ReachedUse, RefFacts } from './job-evidence.ts';
import { findPosition } from './ledger-position.ts';
import { isOfSuspect, judgeOwnFiles } from './own-run.ts';
import { classifyCommit, isListed, isNamed, matchRef, type Suspect } from './suspect.ts';
import { findWorst, type Judgement, type Proof, type proofsOfAbsence, type Reason } from './verdict.ts';

interface Known {
  suspect: Suspect;
  job: JobEvidence;
  facts: RefFacts;
}

/** Whether a job used what was compromised. Where no record shows that it did not, that is never said. */
export function judgeJob(suspect: Suspect, job: JobEvidence, facts: RefFacts): Judgement {
  const known = { suspect, job, facts };
  return judgeTime(known) ?? judgeCalled(known) ?? judgeLog(known) ?? judgeFile(known);
}

/** As a proof says it to whoever asks. */
const nameFor = ({ facts }: Known, used: UsedRef): string =>
  facts.isShown(used) ? nameUse(used) : 'it under another name';

const absent = (kind: (typeof proofsOfAbsence)[number], at: Instant, detail: string): Judgement => ({
  verdict: 'no',
  proof: { kind, at, detail },
});

function judgeTime({ suspect: { window }, job }: Known): Judgement | null {
  const { startedAt, completedAt } = job;
  if (window.from !== null && completedAt !== null && completedAt < window.from)
    return absent('N6', completedAt, 'Ended before that time.');
  if (window.to !== null && startedAt > window.to) return absent('N6', startedAt, 'Started after that time.');
  return job.hasBegun === false ? absent('N3', startedAt, 'No job of it got a runner.') : null;
}

/** null where the log does not decide. */
function judgeLog(known: Known): Judgement | null {
  const { suspect, job, facts } = known;
  if (!job.log) return null;
  const judged = job.log.downloads
    .filter((line) => suspect.actionKeys.includes(line.actionKey) || findListed(suspect, line) !== null)
    .map((line): Judgement | null => {
      const { ref, commit, at } = line;
      const listed = findListed(suspect, line);
      const found = listed
        ? 'suspect'
        : classifyCommit(suspect, ref, { commit, tagObject: null, isOlder: facts.isOlder(commit) });
      if (found === 'clean') return null;
      if (found === 'unknown') return { verdict: 'possible', reasons: ['commit_not_known'], likelihood: 'open' };
      const doubt = findDoubt(known, line);
      if (doubt) return { verdict: 'possible', reasons: [doubt], likelihood: 'likely' };
      const name = nameFor(known, { ...line, path: '', kind: 'action' });
      const detail = `The log names ${name} at ${listed ?? commit}.`;
      return { verdict: 'proven', proof: { kind: 'log_line', at, detail } };
    })
    .filter((one) => one !== null);
  const worst = findWorst(judged);
  if (worst) return worst;
  return job.log.isComplete && namesAllOf(suspect, job) && isDistinct(suspect, job) && !isOfSuspect(suspect, job)
    ? absent('N1', job.startedAt, 'The log names all that was downloaded.')
    : null;
}

/** What of a line is listed as compromised: its commit, or the digest of its package. */
const findListed = (suspect: Suspect, { commit, digest }: Download): string | null =>
  [commit, digest].find((one) => one !== null && isListed(suspect, one)) ?? null;

/**
 * Logs do not name called workflows, which the record of the run does. An image has several names and digests, and those
 * that others are built on are not named at all.
 */
function namesAllOf(suspect: Suspect, { called }: JobEvidence): boolean {
  if (suspect.kind === 'action') return !suspect.match.some(({ type }) => type === 'digest');
  const isCalled = called?.some((one) => isNamed(suspect, one)) === true;
  return suspect.kind === null && called !== null && !isCalled && !suspect.match.some(({ type }) => type === 'digest');
}

/** A listed commit is found whatever its repository was called; else each name must be known to be of another one. */
const isDistinct = (
  { match, hasCommitsOnly, hasKnownId }: Suspect,
  { hasUnknownNames }: Pick<JobEvidence, 'hasUnknownNames'>,
): boolean =>
  (hasKnownId && !hasUnknownNames) || (hasCommitsOnly && match.length > 0 && match.every(({ type }) => type === 'sha'));

/** Why a line does not prove what it says; null where it does. */
function findDoubt({ suspect, job, facts }: Known, line: Download): Reason | null {
  if (line.isAtOtherTime) return 'clock';
  // A line names no path: which of the actions of the repository was used, only the file says.
  if (suspect.path !== '') return 'unreadable_file';
  if (!line.isInStep) return null;
  return mayRunLocalAction(job) && isConfirmed({ suspect, job, facts }, line) ? null : 'named_in_step';
}

/** Whether the file that certainly ran has a step that downloads actions when it begins: else a step wrote the line. */
const mayRunLocalAction = ({ file }: JobEvidence): boolean =>
  file?.uncertain === null && file.unknown.includes('local_action_not_in_tree');

/** Whether the ledger saw the ref at the commit then. */
const isConfirmed = ({ suspect, facts }: Known, { actionKey, ref, at }: Download): boolean => {
  const history = facts.history({ actionKey, path: '', kind: 'action', ref }) ?? [];
  return findPosition(suspect, { ref, history }, at, facts.isOlder).reason === null;
};

/** The platform itself names the commits of called workflows: a listed one counts, whatever it was called as. */
function judgeCalled(known: Known): Judgement | null {
  const { suspect, job } = known;
  const used = job.called?.find(({ commit }) => isListed(suspect, commit));
  if (!used) return null;
  const detail = `The record of the run names ${nameFor(known, used)} at ${used.commit}.`;
  return { verdict: 'proven', proof: { kind: 'referenced_workflow', at: job.startedAt, detail } };
}

function judgeFile(known: Known): Judgement {
  const { suspect, job } = known;
  const file = job.file ?? toUnreadFile(job);
  const named = file.uses.filter((use) => isReached(suspect, use));
  const open: Reason[] = [
    ...file.unknown,
    ...(job.file?.uses ?? []).flatMap((use) => whyNotFollowed(known, use) ?? []),
    ...(file.uncertain ? [file.uncertain] : []),
    ...(isDistinct(suspect, file) ? [] : (['commit_not_known'] as const)),
    // What images are built on, files do not name.
    ...(isImage(suspect) ? (['unreadable_action'] as const) : []),
  ];
  const ofOwn = judgeOwnFiles(suspect, job);
  const worst = findWorst([...named.map((use) => judgeUse(known, use, file)), ...(ofOwn ? [ofOwn] : [])]);
  if (worst?.verdict === 'proven') return worst;
  if (worst?.verdict === 'possible' || worst?.verdict === 'unknown')
    return { ...worst, reasons: [...new Set([...worst.reasons, ...open])] };
  if (open.length > 0) return { verdict: 'unknown', reasons: [...new Set(open)], likelihood: null };
  return worst ?? absent('N2', job.startedAt, 'Neither the workflow file nor what it uses in turn names it.');
}

/** A pin may be the id of a tag that leads to a listed commit. */
const isReached = (suspect: Suspect, use: ReachedUse): boolean =>
  isNamed(suspect, use) || (isFixed(use.ref) && isListed(suspect, toPinned(use)));

/** The commit that a pin leads to, where its file was read; else as written. */
const toPinned = ({ kind, ref, readAt }: ReachedUse): string =>
  kind === 'image' || readAt.includes(ref) ? ref : (readAt[0] ?? ref);

const isImage = ({ kind, match }: Suspect): boolean => kind === 'image' || match.some(({ type }) => type === 'digest');

/** Why what is used in turn through a use is not certain; null where it is. */
function whyNotFollowed(known: Known, use: ReachedUse): Reason | null {
  if (use.kind === 'image') return null;
  const found = findCommit(known, use);
  if (found === null) return isReached(known.suspect, use) ? null : 'indirect_unpinned';
  return use.readAt.includes(found.commit) ? null : 'unreadable_action';
}

/** Any file of the repository may have run. */
const toUnreadFile = ({ observed }: JobEvidence): ExecutedFile => ({
  uncertain: 'unreadable_file',
  uses: (observed ?? []).map((use) => ({ ...use, via: [], readAt: [], wasSkipped: false })),
  unknown: observed === null ? ['ledger_gap'] : [],
  hasUnknownNames: false,
});

interface FoundCommit {
  commit: string;
  proof: Proof<'N4' | 'N5'>;
}

/** The commit that certainly ran where a use was reached; null where it may have been another. */
function findCommit(known: Known, used: ReachedUse): FoundCommit | null {
  const { suspect, job, facts } = known;
  const { window } = suspect;
  const at = job.startedAt;
  const name = nameFor(known, used);
  const called = job.called?.find((one) => usedRefKey(one) === usedRefKey(used));
  const line = job.log?.downloads.find((one) => isLineOf(one, used));
  const recorded = called?.commit ?? line?.commit;
  if (isFixed(used.ref)) {
    const commit = recorded ?? toPinned(used);
    return { commit, proof: { kind: 'N4', at, detail: `Pinned to ${name}.` } };
  }
  if (recorded) return { commit: recorded, proof: { kind: 'N4', at, detail: `${name} led to ${recorded}.` } };
  const release = isBranchName(used.ref) ? null : facts.immutable(used);
  const isSeen = release !== null && window.from !== null && release.seenAt < window.from && release.seenAt <= at;
  if (!isSeen) return null;
  const detail = `${name} is an immutable release, at ${release.commit}.`;
  return { commit: release.commit, proof: { kind: 'N5', at: release.seenAt, detail } };
}

const isLineOf = ({ isInStep, isAtOtherTime, actionKey, ref }: Download, used: UsedRef): boolean =>
  !isInStep && !isAtOtherTime && used.kind === 'action' && actionKey === used.actionKey && ref === used.ref;

/** A use of what was compromised. */
function judgeUse(known: Known, use: ReachedUse, file: ExecutedFile): Judgement {
  const { suspect, job, facts } = known;
  const found = findCommit(known, use);
  const skipped: Reason[] = use.wasSkipped ? ['downloaded_step_skipped'] : [];
  if (found) {
    const isOlder = facts.isOlder(found.commit) || (isFixed(use.ref) && facts.isOlder(use.ref));
    const commit = { commit: found.commit, tagObject: null, isOlder };
    const result = classifyCommit(suspect, use.ref, commit);
    if (result === 'clean') return { verdict: 'no', proof: found.proof };
    if (result === 'unknown')
      return {
        verdict: 'possible',
        reasons: [...skipped, describeUnknown(suspect), job.missingLog],
        likelihood: 'open',
      };
    const open = [...skipped, ...whyNotProven(job, use, file)];
    if (open.length > 0) return { verdict: 'possible', reasons: open, likelihood: 'likely' };
    const detail = `The workflow file uses ${nameFor(known, use)} at ${found.commit}.`;
    return { verdict: 'proven', proof: { kind: 'pinned_in_file', at: job.startedAt, detail } };
  }
  const match = matchRef(suspect, use.ref);
  if (match === 'other') return { verdict: 'unknown', reasons: [job.missingLog], likelihood: null };
  const history = facts.history(use);
  const position = history
    ? findPosition(suspect, { ref: use.ref, history }, job.startedAt, facts.isOlder)
    : { reason: 'unreadable_action' as const, likelihood: 'open' as const };
  const reasons: Reason[] = [
    ...skipped,
    ...(match === 'not_comparable' ? (['version_not_comparable'] as const) : []),
    ...(position.reason ? [position.reason] : []),
    job.missingLog,
  ];
  return { verdict: 'possible', reasons, likelihood: position.likelihood };
}

/** Why it is not known of a commit whether it is compromised. */
const describeUnknown = ({ match }: Suspect): Reason =>
  match.some(({ type }) => type === 'version_range') ? 'version_not_comparable' : 'commit_not_known';

/** What lacks for a compromised commit in a file to be one that ran. */
function whyNotProven({ hasBegun }: JobEvidence, { via }: ReachedUse, { uncertain }: ExecutedFile): Reason[] {
  return [
    ...(uncertain ? [uncertain] : []),
    ...(hasBegun === true ? [] : (['job_not_matched'] as const)),
    ...(via.every(({ ref }) => isFixed(ref)) ? [] : (['indirect_unpinned'] as const)),
  ];
}
