import type { Context } from '../../access/context.ts';
import type { Instant, Repository } from '../../metrics/kernel/facts.ts';
import { dayMs } from '../../metrics/kernel/window.ts';
import { isReadable } from '../../metrics/security/ref-ledger.ts';
import type { AttemptLogRow } from '../../store/attempt-logs.ts';
import { type ExposedAttempt, reRunReachMs, type Stretch } from '../../store/exposed-runs.ts';
import type { UseOnDay } from '../../store/exposed-uses.ts';
import { judgeAttempt, type KnownLog, type LogState, toExecutedFile, toLogState } from './attempt-log.ts';
import { type EvidenceSource, findEvidence } from './evidence.ts';
import { findSuspect } from './find-suspect.ts';
import { toFacts } from './ref-facts.ts';
import { findLedger } from './source.ts';
import type { ExecutedFile, RefFacts } from './verdict/job-evidence.ts';
import { isNamed, mayMatch, type Suspect } from './verdict/suspect.ts';
import type { Judgement } from './verdict/verdict.ts';

/** More attempts than these are not judged: what is not known of them leaves no repository without doubt. */
const maxAttempts = 50_000;
/** Nor are more uses looked at, each on each day. */
const maxUses = 500_000;
/** How far from an attempt the workflow files of its repository may have been read. */
const readingReachMs = 14 * dayMs;
/** As long as the platform keeps logs by default. */
const logsKeptMs = 90 * dayMs;
/** Of a ref the newest observations. */
const maxObservations = 1000;

export interface JudgedAttempt {
  attempt: ExposedAttempt;
  startedAt: Instant;
  logState: LogState;
  isFileRead: boolean;
  /** How many logs are left to read; null where that is not known. */
  logsLeft: number | null;
  judgement: Judgement;
}

export interface JudgedAttempts {
  /** Every name of it that the caller may see. */
  names: string[];
  attempts: JudgedAttempt[];
  /** What the repositories used of it then, and what they use now. */
  uses: UseOnDay[];
  usingNow: Set<number>;
  /** Repositories of which every attempt is known, by the platform's ids. */
  complete: Set<number>;
  /** Repositories whose workflow files were read. */
  read: Set<number>;
  isTruncated: boolean;
  ledgerSince: Instant | null;
}

/** Judges every attempt that ran in a stretch of time, that of the suspect as far as it is kept, from what is stored. */
export async function judgeAttempts(
  asked: Suspect,
  stretch: Stretch,
  visible: readonly Repository[],
  context: Context,
): Promise<JudgedAttempts> {
  const ids = visible.map(({ id }) => id);
  const [evidence, ledger] = await Promise.all([findEvidence(visible, context), findLedger(visible, context)]);
  const { suspect: named, shownNames, seenCommits, shas } = await findSuspect(asked, evidence, visible, context);
  const { actionKeys } = named;
  const { clock, env } = context.services;
  const now = clock.now();
  const days = { from: toDay(stretch.from - readingReachMs), to: toDay(stretch.to + readingReachMs) };
  const commits = named.match.flatMap(({ type, value }) => (type === 'sha' || type === 'digest' ? (value ?? []) : []));
  const [attempts, complete, daysRead, found, since, releases, present, lookedAt, logs, knownNames] = await Promise.all(
    [
      evidence.attempts(ids, stretch, maxAttempts),
      evidence.completeRepositories(ids, stretch),
      evidence.daysRead(ids, days),
      evidence.usesOnDays(ids, { actionKeys, commits, days, limit: maxUses }),
      evidence.usedSince(ids, actionKeys),
      evidence.releases(actionKeys),
      ledger.presentUses(ids),
      ledger.lookedAt(ids),
      evidence.logsOf(ids, stretch, maxAttempts),
      evidence.knownNames(),
    ],
  );
  const ranIn = toFirstAttempts(logs);
  const downloads = await readDownloads(evidence, [...ranIn.keys()], { actionKeys, commits });
  const resolved = new Set([
    ...seenCommits.map(({ sha }) => sha),
    // What a step may have written itself says nothing of a SHA.
    ...downloads.all.flatMap(({ commit, isInStep }) => (isInStep ? [] : commit)),
    ...logs.flatMap(({ called }) => called ?? []).map(({ commit }) => commit),
  ]);
  const suspect = { ...named, hasCommitsOnly: shas.every((sha) => resolved.has(sha)) };
  const uses = found.filter((use) => isNamed(suspect, use));
  const refIds = [...new Set(uses.flatMap(({ refId, isHidden }) => (isHidden ? [] : refId)))];
  const histories = await ledger.newestHistories(refIds, maxObservations);
  const facts = toFacts(suspect, { uses, histories, since, releases, shownNames });
  const daysOf = new Map(
    [...Map.groupBy(daysRead, ({ repositoryId }) => repositoryId)].map(([id, own]) => [id, toSortedDays(own)]),
  );
  const usesOf = Map.groupBy(uses, ({ repositoryId, day }) => `${repositoryId} ${day}`);
  const logOf = new Map(logs.map((row) => [`${row.runId} ${row.attempt}`, row]));
  const isTruncated = attempts.length >= maxAttempts || found.length >= maxUses || logs.length >= maxAttempts;
  const own = new Set(visible.map(({ owner, repo }) => `${owner}/${repo}`.toLowerCase()));
  const visibleIds = new Set(ids);
  const reader = {
    maySee: (id: number) => visibleIds.has(id),
    isKnownName: (name: string) => knownNames.has(name) || own.has(name),
  };
  const judged = attempts.map((attempt) => {
    const around = findDaysAround(daysOf.get(attempt.repositoryId) ?? [], attempt.runStartedAt ?? attempt.createdAt);
    const observed = around.flatMap((day) => usesOf.get(`${attempt.repositoryId} ${day}`) ?? []);
    const row = logOf.get(`${attempt.runId} ${attempt.attempt}`) ?? null;
    const log = {
      row,
      isCurrent: row !== null && row.readAt !== null && row.endedAt === attempt.completedAt,
      isOwn: (jobId: number) => ranIn.get(jobId) === attempt.attempt,
      downloadsOf: downloads.of,
      hasUnknownNames: downloads.hasUnknownNames,
      isKnownName: reader.isKnownName,
    };
    const file = row?.file ? toExecutedFile(row.file, reader) : null;
    return judgeOne({ attempt, suspect, facts, log, now, file, observed: around.length === 0 ? null : observed });
  });
  // Of runs that were created before then some are deleted, which may have been started again later.
  const isAllStored = stretch.from - reRunReachMs >= now - env.RETENTION_RUN_DAYS * dayMs;
  const starts = [...histories.values()].flatMap((rows) => rows.find(isReadable)?.observedFrom ?? []);
  return {
    names: [...new Set(shownNames)],
    attempts: judged,
    uses,
    usingNow: new Set(
      present.flatMap((use) =>
        isNamed(suspect, use) && mayMatch(suspect, use.ref, facts.isOlder) ? use.repositoryId : [],
      ),
    ),
    complete: isTruncated || !isAllStored ? new Set() : complete,
    read: new Set(lookedAt.map(({ repositoryId }) => repositoryId)),
    isTruncated,
    ledgerSince: starts.length === 0 ? null : Math.min(...starts),
  };
}

interface StoredAttempt {
  attempt: ExposedAttempt;
  suspect: Suspect;
  facts: RefFacts;
  log: KnownLog;
  now: Instant;
  file: ExecutedFile | null;
  observed: UseOnDay[] | null;
}

function judgeOne({ attempt, suspect, facts, log, now, file, observed }: StoredAttempt): JudgedAttempt {
  const startedAt = attempt.runStartedAt ?? attempt.createdAt;
  const isLogExpired = now - (attempt.completedAt ?? startedAt) > logsKeptMs;
  const job = {
    startedAt,
    completedAt: attempt.completedAt,
    hasBegun: attempt.neverBegan ? false : null,
    log: null,
    hasUnknownNames: false,
    missingLog: isLogExpired ? ('log_expired' as const) : ('log_unread' as const),
    file,
    observed,
    called: null,
  };
  const unread = log.isCurrent ? log.row?.jobs?.filter((one) => one.log === 'unreadable') : undefined;
  return {
    attempt,
    startedAt,
    logState: toLogState(log, isLogExpired),
    isFileRead: file !== null && log.row?.file?.isCut === false && !log.row.isPartial,
    logsLeft: unread?.length ?? attempt.jobsBegun,
    judgement: judgeAttempt(suspect, job, facts, log),
  };
}

/** What jobs downloaded, by their logs. */
async function readDownloads(
  evidence: EvidenceSource,
  jobIds: readonly number[],
  wanted: Parameters<EvidenceSource['downloads']>[1],
) {
  const [all, ofUnknownNames] = await Promise.all([
    evidence.downloads(jobIds, wanted),
    evidence.jobsOfUnknownNames(jobIds, wanted.actionKeys),
  ]);
  const ofJob = Map.groupBy(all, ({ jobId }) => jobId);
  return {
    all,
    of: (jobId: number) => ofJob.get(jobId) ?? [],
    hasUnknownNames: (jobId: number) => ofUnknownNames.has(jobId),
  };
}

/** Of each job the first attempt that lists it: a re-run of failed jobs takes over the others. */
function toFirstAttempts(logs: readonly AttemptLogRow[]): Map<number, number> {
  const first = new Map<number, number>();
  for (const { attempt, jobs } of logs)
    for (const { id } of jobs ?? []) first.set(id, Math.min(attempt, first.get(id) ?? attempt));
  return first;
}

const toDay = (at: Instant): string => new Date(at).toISOString().slice(0, 10);

const toSortedDays = (read: readonly { day: string }[]) => [...new Set(read.map(({ day }) => day))].sort();

/** The day of an attempt and the nearest ones before and after it, as far as the files were read on these. */
function findDaysAround(sorted: readonly string[], at: Instant): string[] {
  const day = toDay(at);
  const around = [
    sorted.findLast((one) => one < day),
    sorted.find((one) => one === day),
    sorted.find((one) => one > day),
  ];
  return around.filter((one) => one !== undefined);
}
