import {
  type FoundRefs,
  type RefQuestion,
  refsPerRepository,
  repositoriesPerRequest,
} from '../../codehost/ref-targets/reads.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { type LedgerRow, type RefTarget, recordTarget } from '../../metrics/security/ref-ledger.ts';
import { Problem } from '../../platform/problem.ts';
import type { ObservedRef, RefObservation } from '../../store/action-ledger.ts';
import { passOver } from './problems.ts';
import type { TaggedRelease } from './releases.ts';
import type { LedgerContext } from './run.ts';

/** Beyond this many those that were observed last are left out: what is not known of them stays a gap. */
const maxRefs = 5000;
/** A request that fails is made again for half of what it was about, until so many have failed one after the other. */
const failuresInARow = 8;

export interface TargetsResult {
  refs: number;
  unreadable: number;
  /** Of the tags that have one. */
  releases: TaggedRelease[];
  /** false when the time was up before all were observed. */
  complete: boolean;
  /** Why the last request was not answered, where none was. */
  failure: Problem | null;
}

/**
 * Observes where every used ref leads now, and stores what changed; of those that are due by their newest row. What
 * fails is requested again in halves; the refs of a repository that fails alone are unreadable.
 * @throws Problem when the quota is spent, or the token rejected.
 */
export async function observeTargets(
  context: LedgerContext,
  isDue: (newest: LedgerRow | undefined, ref: ObservedRef) => boolean,
): Promise<TargetsResult> {
  const { store, codehost, services, signal, mayContinue } = context;
  const result: TargetsResult = { refs: 0, unreadable: 0, releases: [], complete: true, failure: null };
  let [answered, failed] = [0, 0];
  const used = await store.actionLedger.refsInUse(maxRefs);
  const batches = toBatches(used.filter((ref) => isDue(ref.history.at(-1), ref)));
  for (let batch = batches.shift(); batch; batch = batches.shift()) {
    if (!mayContinue()) return { ...result, complete: false };
    // Of the time before the request: where a ref leads is not known later than that.
    const at = services.clock.now();
    const answers = await codehost.refTargets(batch.map(({ question }) => question)).catch(passOver);
    signal.throwIfAborted();
    if (answers instanceof Problem) {
      result.failure = answers;
      failed += 1;
      if (batch.length > 1 && failed < failuresInARow) {
        batches.unshift(...splitIntoChunks(batch, Math.ceil(batch.length / 2)));
        continue;
      }
    } else [answered, failed] = [answered + 1, 0];
    const answerOf = (index: number) => (answers instanceof Problem ? null : answers[index]) ?? 'unreadable';
    const observations = batch.flatMap(({ refs }, index) =>
      refs.flatMap((ref) => observe(ref, answerOf(index), at) ?? []),
    );
    await store.actionLedger.observe(observations);
    result.refs += batch.reduce((sum, { refs }) => sum + refs.length, 0);
    result.unreadable += observations.filter(({ row }) => row.state === 'unreadable').length;
    result.releases.push(
      ...batch.flatMap(({ refs }, index) => refs.flatMap((ref) => findRelease(ref, answerOf(index)))),
    );
  }
  return answered > 0 ? { ...result, failure: null } : result;
}

/** What was observed since an instant is not again; null for no such instant. */
export const isDueSince =
  (since: Instant | null) =>
  (newest: LedgerRow | undefined): boolean =>
    since === null || newest === undefined || newest.state === 'unreadable' || newest.observedTo < since;

interface RefsOfRepository {
  question: RefQuestion;
  refs: ObservedRef[];
}

/** Refs by repository; one that is used at very many refs counts several times. */
function toBatches(refs: readonly ObservedRef[]): RefsOfRepository[][] {
  const repositories = [...Map.groupBy(refs, ({ actionKey }) => actionKey)].flatMap(([key, all]) =>
    splitIntoChunks(all, refsPerRepository).map((some): RefsOfRepository => {
      const [owner = '', repo = ''] = key.split('/');
      return { question: { owner, repo, refs: some.map(({ ref }) => ref) }, refs: some };
    }),
  );
  return splitIntoChunks(repositories, repositoriesPerRequest);
}

const splitIntoChunks = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));

type Answer = FoundRefs | 'not_found' | 'unreadable';

/** null where it changes nothing. */
function observe(ref: ObservedRef, answer: Answer, at: Instant): RefObservation | null {
  const found = typeof answer === 'string' ? null : answer;
  const row = recordTarget(ref.history, toTarget(ref, answer), at);
  const isBranch = found?.targets.get(ref.ref)?.isBranch ?? null;
  const lastObservedTo = ref.history.at(-1)?.observedTo ?? null;
  const repository = found && { codehostId: found.repositoryId, isPrivate: found.isPrivate };
  return row && { refId: ref.id, repository, isBranch, lastObservedTo, row };
}

function toTarget({ ref, codehostId }: ObservedRef, answer: Answer): RefTarget {
  const nothing = { commit: null, tagObject: null, codehostId: null, repository: null };
  // One that was never seen may be private.
  if (answer === 'not_found') return { ...nothing, state: codehostId === null ? 'unreadable' : 'repository_gone' };
  const target = answer === 'unreadable' ? undefined : answer.targets.get(ref);
  if (answer === 'unreadable' || target === undefined) return { ...nothing, state: 'unreadable' };
  const repository = { codehostId: answer.repositoryId, repository: answer.name };
  if (target === null) return { ...nothing, ...repository, state: 'gone' };
  return { ...repository, state: 'present', commit: target.commit, tagObject: target.tagObject };
}

function findRelease({ actionKey, ref }: ObservedRef, answer: Answer): TaggedRelease[] {
  const target = typeof answer === 'string' ? null : answer.targets.get(ref);
  if (!target || target.isBranch || target.releaseId === null) return [];
  return [{ actionKey, ref, commit: target.commit, releaseId: target.releaseId }];
}
