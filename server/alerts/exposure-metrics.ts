import { count } from '../domain/quantity.ts';
import type { Instant } from '../metrics/kernel/facts.ts';
import { storedEvidence } from '../reports/exposure/evidence.ts';
import { type JudgedAttempt, type JudgedAttempts, judgeStored } from '../reports/exposure/judge-attempts.ts';
import { questionInput, toStretch, toSuspects } from '../reports/exposure/search-input.ts';
import type { Store } from '../store/orm.ts';
import { type AlertFacts, alertMetric, type Evaluation, type Moment, type Range, unknown } from './metric.ts';

/** A search that somebody saved, with what it finds in the repository; null where it is not evaluated. */
interface WatchedSearch {
  savedAt: Instant;
  found: FoundAttempts | null;
}

interface FoundAttempts {
  attempts: readonly JudgedAttempt[];
  /** Whether there are more than are judged. */
  isCapped: boolean;
  /** Whether every attempt of the time that is asked for is known. */
  isComplete: boolean;
}

interface ExposureFacts extends AlertFacts {
  searches: readonly WatchedSearch[];
}

/** More of an organization are not watched, the newest first. */
const maxSearches = 20;
/** As long as single runs are stored by default. */
const runDays = 400;

/** Attempts that certainly used what was compromised; contract of the three answers, section 1.7. */
export const provenExposure = alertMetric({
  key: 'exposure_proven',
  definition:
    'Attempts of runs whose log or record names what was compromised, by saved views of the page Exposure of the organization: the newest 20 of accounts that may use it. Looked at whenever logs of the repository were read, and nightly.',
  label: 'Affected runs',
  unit: 'count',
  group: 'ci',
  dataSource: 'exposure',
  minSample: 1,
  isPointInTime: true,
  load: readSearches,
  measure: countProven,
});

function countProven({ searches }: ExposureFacts, { now }: Moment): Evaluation {
  const saved = searches.filter(({ savedAt }) => savedAt <= now);
  const evaluated = saved.flatMap(({ found }) => found ?? []);
  if (evaluated.length === 0) return unknown('No saved search could be evaluated.');
  const attempts = evaluated.flatMap((one) => one.attempts.filter(({ startedAt }) => startedAt <= now));
  const proven = new Map(attempts.filter((one) => isProvenAt(one, now)).map((one) => [toKey(one), one]));
  const newest = [...proven.values()].toSorted((one, other) => (one.readAt ?? 0) - (other.readAt ?? 0)).at(-1);
  const open = new Set(attempts.filter((one) => isOpenAt(one, now) && !proven.has(toKey(one))).map(toKey));
  const left = saved.length - evaluated.length;
  const gaps = [
    ...(open.size > 0 ? [`Of ${count(open.size, 'attempt')} it is not known.`] : []),
    ...(evaluated.some(({ isCapped }) => isCapped) ? ['There are more runs than a search looks at.'] : []),
    ...(evaluated.some((one) => !one.isCapped && !one.isComplete) ? ['Not every run of that time is known.'] : []),
    ...(left > 0 ? [`${count(left, 'saved search', 'saved searches')} could not be evaluated.`] : []),
  ];
  if (attempts.length === 0 && gaps.length === 0) return { value: 0, sample: 0, isNone: true };
  return {
    value: proven.size,
    sample: new Set(attempts.map(toKey)).size,
    ...(newest && { details: toDetails(newest) }),
    ...(gaps.length > 0 && { incomplete: gaps.join(' ') }),
  };
}

const toKey = ({ attempt: { runId, attempt } }: JudgedAttempt): string => `${runId} ${attempt}`;

/** It is known since its logs were read. */
const isProvenAt = ({ judgement, readAt }: JudgedAttempt, now: Instant): boolean =>
  judgement.verdict === 'proven' && readAt !== null && readAt <= now;

/** It may have used what was compromised, as far as was known by then. */
const isOpenAt = ({ judgement: { verdict }, readAt }: JudgedAttempt, now: Instant): boolean =>
  verdict === 'possible' || verdict === 'unknown' || (readAt !== null && readAt > now);

const toDetails = ({ attempt, suspect }: JudgedAttempt) => ({
  suspect,
  run_id: attempt.runId,
  run_number: attempt.runNumber,
  attempt: attempt.attempt,
});

async function readSearches({ repoId, until }: Range, store: Store): Promise<ExposureFacts> {
  const known = await store.repositories.concerning({ names: [], owners: [], ids: [repoId] });
  const repository = known.find(({ tracked }) => tracked);
  const views = repository ? await store.savedViews.ofPage(`/org/${repository.owner}/exposure`, 'exposure') : [];
  const searches: WatchedSearch[] = [];
  if (repository)
    for (const { address, createdAt: savedAt } of views) {
      const query = new URL(address, 'http://localhost').searchParams;
      // A view of the page may be of no search.
      if (!query.get('name')) continue;
      const { codehostId: id, owner, repo } = repository;
      const visible = { id, owner, repo, createdAt: null };
      const found = searches.length < maxSearches ? await search(query, { visible, now: until }, store) : null;
      searches.push({ savedAt, found: found && toFound(found, id) });
    }
  const proofs = searches.flatMap(({ found }) => found?.attempts.flatMap(({ readAt }) => readAt ?? []) ?? []);
  return {
    searches,
    knownFrom: Math.min(until, ...searches.map(({ savedAt }) => savedAt)),
    endings: [...new Set(proofs)].sort((one, other) => one - other),
  };
}

const toFound = ({ attempts, cap, complete }: JudgedAttempts, repositoryId: number): FoundAttempts => ({
  attempts,
  isCapped: cap !== null,
  isComplete: complete.has(repositoryId),
});

/** null for one that the page would refuse: what was saved may have become too long ago. */
async function search(
  query: URLSearchParams,
  { visible, now }: { visible: Parameters<typeof judgeStored>[2]['visible'][number]; now: Instant },
  store: Store,
) {
  const question = questionInput.safeParse({ ...Object.fromEntries(query), org: visible.owner });
  const stretch = question.success ? toStretchOrNull(question.data, now) : null;
  if (!question.success || stretch === null) return null;
  return judgeStored(toSuspects(question.data), stretch, {
    visible: [visible],
    evidence: storedEvidence(store),
    ledger: store.actionInventory,
    now,
    runDays,
    // Another name clears or proves nothing more here.
    readRepository: async () => null,
  });
}

/** A window that was saved may be over by now. */
function toStretchOrNull(...given: Parameters<typeof toStretch>) {
  try {
    return toStretch(...given);
  } catch {
    return null;
  }
}
