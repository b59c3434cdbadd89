import {
  type FoundRefs,
  type RefQuestion,
  refsPerRepository,
  repositoriesPerRequest,
} from '../../codehost/ref-targets/reads.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { type RefTarget, recordTarget } from '../../metrics/security/ref-ledger.ts';
import type { ObservedRef, RefObservation } from '../../store/action-ledger.ts';
import type { LedgerContext } from './run.ts';

/** Those that came last are left out beyond this many: what is not known of them stays a gap. */
const maxRefs = 5000;

export interface TargetsResult {
  refs: number;
  unreadable: number;
  /** false when the time was up before all were looked at. */
  complete: boolean;
}

/**
 * Looks where every used ref leads now, and stores what changed; what was looked at since `since` is not again.
 * @throws Problem when the platform answers nothing, or the quota is spent.
 */
export async function observeTargets(context: LedgerContext, since: Instant | null): Promise<TargetsResult> {
  const { store, codehost, services, mayContinue } = context;
  const result: TargetsResult = { refs: 0, unreadable: 0, complete: true };
  const used = await store.actionLedger.refsInUse(maxRefs);
  const due = used.filter(({ history }) => since === null || (history.at(-1)?.observedTo ?? 0) < since);
  for (const batch of toBatches(due)) {
    if (!mayContinue()) return { ...result, complete: false };
    const answers = await codehost.refTargets(batch.map(({ question }) => question));
    const at = services.clock.now();
    const observations = batch.flatMap(({ refs }, index) =>
      refs.flatMap((ref) => observe(ref, answers[index] ?? 'unreadable', at) ?? []),
    );
    await store.actionLedger.observe(observations);
    result.refs += batch.reduce((sum, { refs }) => sum + refs.length, 0);
    result.unreadable += observations.filter(({ row }) => row.state === 'unreadable').length;
  }
  return result;
}

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
function observe(ref: ObservedRef, answer: FoundRefs | 'denied' | 'unreadable', at: Instant): RefObservation | null {
  const found = typeof answer === 'string' ? null : answer;
  const isOther = found !== null && ref.codehostId !== null && ref.codehostId !== found.repositoryId;
  const row = recordTarget(ref.history, toTarget(ref, answer), at, isOther);
  const isBranch = found?.targets.get(ref.ref)?.isBranch ?? null;
  return row && { refId: ref.id, codehostId: found?.repositoryId ?? null, isBranch, row };
}

function toTarget({ ref, codehostId }: ObservedRef, answer: FoundRefs | 'denied' | 'unreadable'): RefTarget {
  const nothing = { commit: null, tagObject: null };
  // One that was never seen may be private.
  if (answer === 'denied') return { ...nothing, state: codehostId === null ? 'unreadable' : 'repository_gone' };
  const target = answer === 'unreadable' ? undefined : answer.targets.get(ref);
  if (target === undefined) return { ...nothing, state: 'unreadable' };
  if (target === null) return { ...nothing, state: 'gone' };
  return { state: 'present', commit: target.commit, tagObject: target.tagObject };
}
