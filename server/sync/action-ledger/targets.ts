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
import type { LedgerContext } from './run.ts';

/** Beyond this many those that were looked at last are left out: what is not known of them stays a gap. */
const maxRefs = 5000;

export interface TargetsResult {
  refs: number;
  unreadable: number;
  /** false when the time was up before all were looked at. */
  complete: boolean;
  /** Why the last request was not answered, where none was. */
  failure: Problem | null;
}

/**
 * Looks where every used ref leads now, and stores what changed; what was read since `since` is not again. The refs of a
 * request that fails are unreadable.
 * @throws Problem when the quota is spent, or the token rejected.
 */
export async function observeTargets(context: LedgerContext, since: Instant | null): Promise<TargetsResult> {
  const { store, codehost, services, signal, mayContinue } = context;
  const result: TargetsResult = { refs: 0, unreadable: 0, complete: true, failure: null };
  let answered = 0;
  const used = await store.actionLedger.refsInUse(maxRefs);
  const due = used.filter(({ history }) => since === null || isDue(history.at(-1), since));
  for (const batch of toBatches(due)) {
    if (!mayContinue()) return { ...result, complete: false };
    // Of the time before the request: where a ref leads is not known later than that.
    const at = services.clock.now();
    const answers = await codehost.refTargets(batch.map(({ question }) => question)).catch(passOver);
    signal.throwIfAborted();
    if (answers instanceof Problem) result.failure = answers;
    else answered += 1;
    const observations = batch.flatMap(({ refs }, index) =>
      refs.flatMap(
        (ref) => observe(ref, (answers instanceof Problem ? null : answers[index]) ?? 'unreadable', at) ?? [],
      ),
    );
    await store.actionLedger.observe(observations);
    result.refs += batch.reduce((sum, { refs }) => sum + refs.length, 0);
    result.unreadable += observations.filter(({ row }) => row.state === 'unreadable').length;
  }
  return answered > 0 ? { ...result, failure: null } : result;
}

const isDue = (newest: LedgerRow | undefined, since: Instant): boolean =>
  newest === undefined || newest.state === 'unreadable' || newest.observedTo < since;

interface RefsOfRepository {
  question: RefQuestion;
  refs: ObservedRef[];
}

/** Refs by repository; one that is used at very many refs counts several times. */
function toBatches(refs: readonly ObservedRef[]): RefsOfRepository[][] {
  const repositories = [...Map.groupBy(refs, ({ actionKey }) => actionKey)].flatMap(([key, all]) =>
    splitIntoChunks(all, refsPerRepository).map((some): RefsOfRepository => {
      const [owner = '', repo = ''] = key.split('/');
      return { question: { owner, repo, refs: [...new Set(some.map(({ ref }) => ref))] }, refs: some };
    }),
  );
  return splitIntoChunks(repositories, repositoriesPerRequest);
}

const splitIntoChunks = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));

/** null where the look changes nothing. */
function observe(ref: ObservedRef, answer: FoundRefs | 'not_found' | 'unreadable', at: Instant): RefObservation | null {
  const found = typeof answer === 'string' ? null : answer;
  const isOther = found !== null && ref.codehostId !== null && ref.codehostId !== found.repositoryId;
  const row = recordTarget(ref.history, toTarget(ref, answer), at, isOther);
  const isBranch = found?.targets.get(ref.ref)?.isBranch ?? null;
  const lastObservedTo = ref.history.at(-1)?.observedTo ?? null;
  return row && { refId: ref.id, codehostId: found?.repositoryId ?? null, isBranch, lastObservedTo, row };
}

function toTarget({ ref, codehostId }: ObservedRef, answer: FoundRefs | 'not_found' | 'unreadable'): RefTarget {
  const nothing = { commit: null, tagObject: null };
  // One that was never seen may be private.
  if (answer === 'not_found') return { ...nothing, state: codehostId === null ? 'unreadable' : 'repository_gone' };
  const target = answer === 'unreadable' ? undefined : answer.targets.get(ref);
  if (target === undefined) return { ...nothing, state: 'unreadable' };
  if (target === null) return { ...nothing, state: 'gone' };
  return { state: 'present', commit: target.commit, tagObject: target.tagObject };
}
