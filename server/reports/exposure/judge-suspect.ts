import type { Instant } from '../../metrics/kernel/facts.ts';
import { dayMs } from '../../metrics/kernel/window.ts';
import { isReadable } from '../../metrics/security/ref-ledger.ts';
import type { PresentUse } from '../../store/action-inventory.ts';
import type { AttemptLogRow } from '../../store/attempt-logs.ts';
import type { ExposedAttempt } from '../../store/exposed-runs.ts';
import type { Days, UseOnDays } from '../../store/exposed-uses.ts';
import {
  type FileReader,
  judgeAttempt,
  type KnownLog,
  toExecutedFile,
  toLogState,
  toShownReach,
} from './attempt-log.ts';
import type { EvidenceSource } from './evidence.ts';
import { findSuspect } from './find-suspect.ts';
import type { JudgedAttempt, SearchSource } from './judge-attempts.ts';
import { toReach } from './reach/reach.ts';
import { toFacts } from './ref-facts.ts';
import type { NamedSuspect } from './search-input.ts';
import type { LedgerSource } from './source.ts';
import type { ExecutedFile, RefFacts } from './verdict/job-evidence.ts';
import { isNamed, mayMatch, type Suspect } from './verdict/suspect.ts';

/** More uses than these are not looked at. */
const maxUses = 10_000;
/** What logs say is held for so many runs at a time. */
const runsAtOnce = 500;
/** As long as the platform keeps logs by default. */
const logRetentionMs = 90 * dayMs;
/** Of a ref the newest observations. */
const maxObservations = 1000;

/** What is stored of a stretch of time, whatever the suspect. */
export interface Stored {
  evidence: EvidenceSource;
  ledger: LedgerSource;
  visible: SearchSource['visible'];
  readRepository: SearchSource['readRepository'];
  attempts: readonly ExposedAttempt[];
  /** Of which runs logs were read, or wait to be. */
  loggedRuns: ReadonlySet<number>;
  present: readonly PresentUse[];
  days: Days;
  now: Instant;
  /** On which days the files of a repository were read, by the platform's id. */
  daysOf: ReadonlyMap<number, string[]>;
  /** By the platform's id, in lower case. */
  nameOf: ReadonlyMap<number, string>;
  reader: FileReader;
}

/** Judges every attempt, in the same order; `cap`: the limit that stopped the reading of what was used. */
export async function judgeSuspect(requested: NamedSuspect, stored: Stored) {
  const { evidence, ledger, visible, days, present } = stored;
  const ids = visible.map(({ id }) => id);
  const { suspect: named, shownNames, seenCommits, shas } = await findSuspect(requested.suspect, stored);
  const { actionKeys } = named;
  const commits = named.match.flatMap(({ type, value }) => (type === 'sha' || type === 'digest' ? (value ?? []) : []));
  const [found, since, releases, recorded] = await Promise.all([
    evidence.usesOnDays(ids, { actionKeys, commits, days, limit: maxUses }),
    evidence.usedSince(ids, actionKeys),
    evidence.releases(actionKeys),
    evidence.recordedCommits(shas, ids),
  ]);
  const isSeen = (sha: string) => recorded.has(sha) || seenCommits.some((one) => one.sha === sha);
  const suspect = { ...named, hasCommitsOnly: shas.every(isSeen) };
  const uses = found.filter((use) => isNamed(suspect, use));
  const refIds = [...new Set(uses.flatMap(({ refId, isHidden }) => (isHidden ? [] : refId)))];
  const histories = await ledger.newestHistories(refIds, maxObservations);
  const facts = toFacts(suspect, { uses, histories, since, releases, shownNames });
  const starts = [...histories.values()].flatMap((rows) => rows.find(isReadable)?.observedFrom ?? []);
  return {
    names: [...new Set(shownNames)],
    attempts: await judgeAll({ name: requested.name, suspect, facts, uses, commits }, stored),
    used: summarizeUses(uses),
    usingNow: new Set(
      present.flatMap((use) =>
        isNamed(suspect, use) && mayMatch(suspect, use.ref, facts.isOlder) ? use.repositoryId : [],
      ),
    ),
    cap: found.length >= maxUses ? maxUses : null,
    ledgerSince: starts.length === 0 ? null : Math.min(...starts),
  };
}

/** How a repository used it. */
export interface Used {
  isDirect: boolean;
  /** Uses in workflow files that lead to it. */
  through: Set<string>;
  refs: Set<string>;
}

/** By the platform's id of the repository. */
function summarizeUses(uses: readonly UseOnDays[]): Map<number, Used> {
  const used = new Map<number, Used>();
  for (const { repositoryId, through, ref } of uses) {
    const own = used.get(repositoryId) ?? { isDirect: false, through: new Set(), refs: new Set() };
    own.refs.add(ref);
    if (through === '') own.isDirect = true;
    else own.through.add(through);
    used.set(repositoryId, own);
  }
  return used;
}

interface Question {
  name: string;
  suspect: Suspect;
  facts: RefFacts;
  uses: readonly UseOnDays[];
  commits: readonly string[];
}

async function judgeAll(question: Question, stored: Stored): Promise<JudgedAttempt[]> {
  const { attempts, loggedRuns } = stored;
  const usesOf = groupByDay(question.uses);
  const logged = [...new Set(attempts.flatMap(({ runId }) => (loggedRuns.has(runId) ? runId : [])))];
  const judged = new Map<ExposedAttempt, JudgedAttempt>();
  const judge = (attempt: ExposedAttempt, logs: Logs | null) =>
    judged.set(attempt, judgeOne(attempt, { ...question, stored, usesOf, logs }));
  const byRun = Map.groupBy(attempts, ({ runId }) => runId);
  for (let start = 0; start < logged.length; start += runsAtOnce) {
    const runIds = logged.slice(start, start + runsAtOnce);
    const logs = await readLogs(runIds, question, stored);
    for (const attempt of runIds.flatMap((runId) => byRun.get(runId) ?? [])) judge(attempt, logs);
  }
  return attempts.map(
    (attempt) => judged.get(attempt) ?? judgeOne(attempt, { ...question, stored, usesOf, logs: null }),
  );
}

/** By repository and day. */
function groupByDay(uses: readonly UseOnDays[]): Map<string, UseOnDays[]> {
  const groups = new Map<string, UseOnDays[]>();
  for (const use of uses)
    for (const day of use.days) {
      const key = `${use.repositoryId} ${day}`;
      const own = groups.get(key);
      if (own) own.push(use);
      else groups.set(key, [use]);
    }
  return groups;
}

/** What is known of the logs of some runs. */
interface Logs extends Pick<KnownLog, 'downloadsOf' | 'hasUnknownNames'> {
  rows: ReadonlyMap<string, AttemptLogRow>;
  /** Of each job the first attempt that lists it: a re-run of failed jobs takes over the others. */
  ranIn: ReadonlyMap<number, number>;
}

async function readLogs(
  runIds: readonly number[],
  { suspect: { actionKeys }, commits }: Question,
  { evidence }: Stored,
): Promise<Logs> {
  const logs = await evidence.logsOf(runIds);
  const ranIn = new Map<number, number>();
  for (const { attempt, jobs } of logs)
    for (const { id } of jobs ?? []) ranIn.set(id, Math.min(attempt, ranIn.get(id) ?? attempt));
  const jobIds = [...ranIn.keys()];
  const [all, ofUnknownNames] = await Promise.all([
    evidence.downloads(jobIds, { actionKeys, commits }),
    evidence.jobsOfUnknownNames(jobIds, actionKeys),
  ]);
  const ofJob = Map.groupBy(all, ({ jobId }) => jobId);
  return {
    rows: new Map(logs.map((row) => [`${row.runId} ${row.attempt}`, row])),
    ranIn,
    downloadsOf: (jobId) => ofJob.get(jobId) ?? [],
    hasUnknownNames: (jobId) => ofUnknownNames.has(jobId),
  };
}

interface Judging extends Question {
  stored: Stored;
  usesOf: ReadonlyMap<string, UseOnDays[]>;
  logs: Logs | null;
}

function judgeOne(
  attempt: ExposedAttempt,
  { name, suspect, facts, usesOf, logs, stored: { reader, daysOf, nameOf, now } }: Judging,
): JudgedAttempt {
  const { repositoryId, runId, completedAt } = attempt;
  const startedAt = attempt.runStartedAt ?? attempt.createdAt;
  const around = findDaysAround(daysOf.get(repositoryId) ?? [], startedAt);
  const row = logs?.rows.get(`${runId} ${attempt.attempt}`) ?? null;
  const file: ExecutedFile | null = row?.file ? toExecutedFile(row.file, reader) : null;
  const log: KnownLog = {
    row,
    isCurrent: row !== null && row.readAt !== null && row.endedAt === completedAt,
    isOwn: (jobId) => logs?.ranIn.get(jobId) === attempt.attempt,
    downloadsOf: (jobId) => logs?.downloadsOf(jobId) ?? [],
    hasUnknownNames: (jobId) => logs?.hasUnknownNames(jobId) === true,
    isKnownName: reader.isKnownName,
  };
  const isLogExpired = now - (completedAt ?? startedAt) > logRetentionMs;
  const job = {
    repository: nameOf.get(repositoryId) ?? '',
    headSha: attempt.headSha,
    startedAt,
    completedAt,
    hasBegun: attempt.neverBegan ? false : null,
    log: null,
    hasUnknownNames: false,
    missingLog: isLogExpired ? ('log_expired' as const) : ('log_unread' as const),
    file,
    observed:
      around.length === 0
        ? null
        : around.flatMap((day) => usesOf.get(`${repositoryId} ${Date.parse(day) / dayMs}`) ?? []),
    called: null,
  };
  const unread = log.isCurrent ? row?.jobs?.filter((one) => one.log === 'unreadable') : undefined;
  const { judgement, jobs } = judgeAttempt(suspect, job, facts, log);
  const mayHaveRun = judgement.verdict === 'proven' || judgement.verdict === 'possible';
  const shown = row?.file ? toShownReach(row.file, reader) : null;
  return {
    attempt,
    startedAt,
    // The file itself is the first of what it uses.
    workflowPath: row?.file?.uses[0]?.path ?? null,
    logState: toLogState(log, isLogExpired),
    readAt: row?.readAt ?? null,
    isFileRead: file !== null && row?.file?.isCut === false && !row.isPartial,
    logsLeft: unread?.length ?? attempt.jobsBegun,
    judgement,
    reach: mayHaveRun ? toReach({ file: shown, jobs, isSuspect: (use) => isNamed(suspect, use) }) : null,
    suspect: name,
  };
}

/** The day of an attempt and the nearest ones before and after it, as far as the files were read on these. */
function findDaysAround(sorted: readonly string[], at: Instant): string[] {
  const day = new Date(at).toISOString().slice(0, 10);
  const around = [
    sorted.findLast((one) => one < day),
    sorted.find((one) => one === day),
    sorted.find((one) => one > day),
  ];
  return around.filter((one) => one !== undefined);
}
