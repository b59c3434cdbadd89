import { dayMs, minuteMs } from '../../metrics/kernel/window.ts';
import { judgeMoves } from './moves.ts';
import { readReleases } from './releases.ts';
import type { LedgerContext } from './run.ts';
import { observeTargets } from './targets.ts';

/** What could not be looked at or compared by then is left to the night. */
const withinMs = 15 * minuteMs;

export interface NoticedResult {
  /** Refs that were looked at, and moves of which it is now known whether they are alarming. */
  refs: number;
  compared: number;
}

/**
 * Looks at the refs that webhooks told of, judges what has moved of late, and evaluates the rules of the repositories that
 * use it; nothing is requested where there is neither.
 * @throws Problem when the quota is spent, or the token rejected.
 */
export async function observeNoticed(context: LedgerContext): Promise<NoticedResult> {
  const { store, services } = context;
  const now = services.clock.now();
  const noticed = await store.actionLedger.notices.unobserved(now - withinMs);
  const isNoticed = (_newest: object | undefined, { id }: { id: number }) => noticed.has(id);
  const targets = noticed.size === 0 ? null : await observeTargets(context, isNoticed);
  const moved = await store.actionLedger.unjudgedMoves(now - withinMs);
  const { compared } = moved.length === 0 ? { compared: 0 } : await judgeMoves(context, withinMs);
  if (targets) await readReleases(context, targets.releases, now - dayMs);
  if (compared > 0) await evaluateUsers(moved.map(toKey), context);
  return { refs: targets?.refs ?? 0, compared };
}

const toKey = ({ actionKey, ref }: { actionKey: string; ref: string }) => `${actionKey} ${ref}`;

async function evaluateUsers(moved: readonly string[], { store, services, signal, mayContinue }: LedgerContext) {
  const keys = new Set(moved);
  const uses = await store.exposure.movableUses();
  const using = new Set(uses.flatMap((use) => (keys.has(toKey(use)) ? use.repoId : [])));
  for (const repository of await store.repositories.tracked()) {
    if (!using.has(repository.id)) continue;
    if (!mayContinue()) return;
    await services.evaluateAfterSync(repository, 'actions', 'cron');
    signal.throwIfAborted();
  }
}
