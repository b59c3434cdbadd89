import type { Context } from '../../access/context.ts';
import { hasSpareQuota } from '../../codehost/client/rate-limit.ts';
import type { Instant, Repository } from '../../metrics/kernel/facts.ts';
import { hourMs } from '../../metrics/kernel/window.ts';
import type { StoredPlan } from '../../store/advisor-totals.ts';
import type { Store } from '../../store/orm.ts';
import { renewTotal } from './judge.ts';

/** At one look, some fifteen requests, however many repositories there are. */
const atOnce = 5;
/** Two hours more than a day, so that nobody does what the nightly job is about to. */
const freshMs = 26 * hourMs;
/** What could not be judged is not tried again at every look. */
const failedMs = hourMs;

/** Repositories that this process judges, and when one could not be. */
interface Attempts {
  running: Set<number>;
  failed: Map<number, Instant>;
}

const attempts = new WeakMap<Store, Attempts>();

/**
 * Judges synchronized repositories again that were not within a day, one after the other behind the answer, with the
 * caller's own token and only while more than a fifth of their quota is left; no more than five at one look.
 */
export function judgeDue(
  visible: readonly Repository[],
  tracked: ReadonlyMap<number, StoredPlan | null>,
  context: Context,
): void {
  const { store } = context;
  const { background, clock, stopping } = context.services;
  const { running, failed } = attempts.get(store) ?? { running: new Set(), failed: new Map() };
  attempts.set(store, { running, failed });
  const now = clock.now();
  const asOf = ({ id }: Repository) => tracked.get(id)?.asOf ?? Number.NEGATIVE_INFINITY;
  const failedAt = ({ id }: Repository) => failed.get(id) ?? Number.NEGATIVE_INFINITY;
  const due = visible
    .filter((one) => tracked.has(one.id) && now - asOf(one) >= freshMs && now - failedAt(one) >= failedMs)
    .sort((one, other) => asOf(one) - asOf(other))
    .slice(0, atOnce);
  if (due.length === 0 || running.size > 0 || stopping.aborted) return;
  for (const { id } of due) running.add(id);
  background.begin(async () => {
    for (const repository of due) {
      const isJudged = !stopping.aborted && (await judgeBehind(repository, context));
      if (isJudged) failed.delete(repository.id);
      else failed.set(repository.id, clock.now());
      running.delete(repository.id);
    }
  });
}

/** Answers whether it was judged. */
async function judgeBehind(repository: Repository, context: Context): Promise<boolean> {
  const { store, services } = context;
  try {
    const known = await store.repositories.find(repository);
    if (!known?.tracked || !(await hasSpareQuota(await context.codehost()))) return false;
    await renewTotal(known, repository, { store, services, codehost: () => context.codehost(), isDemo: false });
    return true;
  } catch (error) {
    services.log.warn({ err: error, repository: repository.id }, 'recommendations could not be judged');
    return false;
  }
}
