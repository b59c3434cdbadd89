import type { Context } from '../../access/context.ts';
import type { Instant, Repository, RepositoryName } from '../../metrics/kernel/facts.ts';
import { dayMs } from '../../metrics/kernel/window.ts';
import { type ExposedAttempt, reRunReachMs, type Stretch } from '../../store/exposed-runs.ts';
import { ifReadable } from '../kernel/coverage.ts';
import { nameKey } from '../repositories/visibility.ts';
import type { LogState } from './attempt-log.ts';
import { type EvidenceSource, findEvidence } from './evidence.ts';
import { judgeSuspect, type Stored, type Used } from './judge-suspect.ts';
import type { Reach } from './reach/reach.ts';
import type { NamedSuspect } from './search-input.ts';
import { findLedger, type LedgerSource } from './source.ts';
import { compareJudgements, type Judgement } from './verdict/verdict.ts';

/** More attempts than these are not judged: what is not known of them leaves no repository without doubt. */
const maxAttempts = 50_000;
/** Nor are more verdicts reached, of each attempt one on each suspect. */
const maxVerdicts = 200_000;
/** How far from an attempt the workflow files of its repository may have been read. */
const readingReachMs = 14 * dayMs;

export interface JudgedAttempt {
  attempt: ExposedAttempt;
  startedAt: Instant;
  /** The workflow file that ran; null where it was not read. */
  workflowPath: string | null;
  logState: LogState;
  /** When its logs were read; null where they were not. */
  readAt: Instant | null;
  isFileRead: boolean;
  /** How many logs are left to read; null where that is not known. */
  logsLeft: number | null;
  judgement: Judgement;
  /** What its jobs had in reach; null where none of them is known to have had the suspect in reach. */
  reach: Reach | null;
  /** Which of the suspects the verdict is about, as it was named: the worst. */
  suspect: string;
}

export interface JudgedAttempts {
  /** Of each suspect every name of it that the caller may see. */
  names: string[][];
  attempts: JudgedAttempt[];
  /** What the repositories used of them then, and what they use now. */
  used: Map<number, Used>;
  usingNow: Set<number>;
  /** Repositories of which every attempt is known, by the platform's ids. */
  complete: Set<number>;
  /** Repositories whose workflow files were read. */
  read: Set<number>;
  /** The limit that stopped it; null where none did. */
  cap: number | null;
  ledgerSince: Instant | null;
}

/**
 * Judges every attempt that ran in a stretch of time, that of the suspects as far as it is stored, from what is stored: by
 * the worst that is said of any of them.
 */
export async function judgeAttempts(
  suspects: readonly NamedSuspect[],
  stretch: Stretch,
  visible: readonly Repository[],
  context: Context,
): Promise<JudgedAttempts> {
  const [evidence, ledger] = await Promise.all([findEvidence(visible, context), findLedger(visible, context)]);
  const { clock, env } = context.services;
  return judgeStored(suspects, stretch, {
    visible,
    evidence,
    ledger,
    now: clock.now(),
    runDays: env.RETENTION_RUN_DAYS,
    readRepository: async (name) => ifReadable((await context.codehost()).repositories.get(name)),
  });
}

/** A repository, as far as a search names it. */
export type SearchedRepository = Pick<Repository, 'id' | 'owner' | 'repo' | 'createdAt'>;

/** What a search is answered from. */
export interface SearchSource {
  visible: readonly SearchedRepository[];
  evidence: EvidenceSource;
  ledger: LedgerSource;
  now: Instant;
  /** How many days single runs are stored. */
  runDays: number;
  /** Under its present name, also where the name is a former one; null where it cannot be read. */
  readRepository(name: RepositoryName): Promise<SearchedRepository | null>;
}

/** The same from any source. */
export async function judgeStored(
  suspects: readonly NamedSuspect[],
  stretch: Stretch,
  { visible, evidence, ledger, now, runDays, readRepository }: SearchSource,
): Promise<JudgedAttempts> {
  const ids = visible.map(({ id }) => id);
  const limit = Math.min(maxAttempts, Math.floor(maxVerdicts / suspects.length));
  const days = { from: toDay(stretch.from - readingReachMs), to: toDay(stretch.to + readingReachMs) };
  const [attempts, complete, daysRead, loggedRuns, present, lookedAt, knownNames] = await Promise.all([
    evidence.attempts(ids, stretch, limit),
    evidence.completeRepositories(ids, stretch),
    evidence.daysRead(ids, days),
    evidence.loggedRuns(ids, stretch, limit),
    ledger.presentUses(ids),
    ledger.lookedAt(ids),
    evidence.knownNames(),
  ]);
  const nameOf = new Map(visible.map((one) => [one.id, nameKey(one)]));
  const own = new Set(nameOf.values());
  const visibleIds = new Set(ids);
  const stored: Stored = {
    evidence,
    ledger,
    visible,
    readRepository,
    attempts,
    loggedRuns,
    present,
    days,
    now,
    daysOf: new Map(
      [...Map.groupBy(daysRead, ({ repositoryId }) => repositoryId)].map(([id, read]) => [id, toSortedDays(read)]),
    ),
    nameOf,
    reader: {
      maySee: (id: number) => visibleIds.has(id),
      isKnownName: (name: string) => knownNames.has(name) || own.has(name),
    },
  };
  const found: JudgedAttempts = {
    names: [],
    attempts: [],
    used: new Map(),
    usingNow: new Set(),
    complete,
    read: new Set(lookedAt.map(({ repositoryId }) => repositoryId)),
    cap: attempts.length >= limit || loggedRuns.size >= limit ? limit : null,
    ledgerSince: null,
  };
  // One after the other: only the worst is held.
  for (const suspect of suspects) addWorst(found, await judgeSuspect(suspect, stored));
  // Of runs that were created before then some are deleted, which may have been started again later.
  const isAllStored = stretch.from - reRunReachMs >= now - runDays * dayMs;
  return found.cap === null && isAllStored ? found : { ...found, complete: new Set() };
}

/** Adds what was found of one more suspect, of each attempt the worst. */
function addWorst(found: JudgedAttempts, one: Awaited<ReturnType<typeof judgeSuspect>>): void {
  const before = found.attempts;
  found.attempts = one.attempts.map((judged, index) => {
    const worst = before[index];
    return worst && compareJudgements(worst.judgement, judged.judgement) <= 0 ? worst : judged;
  });
  found.names.push(one.names);
  for (const [id, own] of one.used) {
    const used = found.used.get(id);
    found.used.set(id, {
      isDirect: own.isDirect || used?.isDirect === true,
      through: new Set([...own.through, ...(used?.through ?? [])]),
      refs: new Set([...own.refs, ...(used?.refs ?? [])]),
    });
  }
  for (const id of one.usingNow) found.usingNow.add(id);
  found.cap ??= one.cap;
  if (one.ledgerSince !== null) found.ledgerSince = Math.min(found.ledgerSince ?? one.ledgerSince, one.ledgerSince);
}

const toDay = (at: Instant): string => new Date(at).toISOString().slice(0, 10);

const toSortedDays = (read: readonly { day: string }[]) => [...new Set(read.map(({ day }) => day))].sort();
