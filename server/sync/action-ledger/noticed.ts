import { dayMs, minuteMs } from '../../metrics/kernel/window.ts';
import { Problem } from '../../platform/problem.ts';
import { judgeMoves } from './moves.ts';
import { keepProblem } from './problems.ts';
import { readReleases } from './releases.ts';
import type { LedgerContext } from './run.ts';
import { observeTargets, type TargetsResult } from './targets.ts';

/** What could not be looked at or compared by then is left to the night. */
const withinMs = 15 * minuteMs;

export interface NoticedResult {
  /** Refs that were looked at, and moves of which it is now known whether they are alarming. */
  refs: number;
  compared: number;
}

/**
 * Looks at the refs that webhooks told of, judges what has moved of late, and evaluates the rules over this metric of the
 * repositories that use what moved alarmingly: also those for which an earlier call had no time. Nothing is requested where
 * there is neither.
 * @throws Problem when the quota is spent, or the token rejected; what was judged before is evaluated all the same.
 */
export async function observeNoticed(context: LedgerContext, metric: string): Promise<NoticedResult> {
  const now = context.services.clock.now();
  const observed = await observeAndJudge(context).catch(keepProblem);
  await evaluateUsers(context, metric);
  if (observed instanceof Problem) throw observed;
  const { targets, compared } = observed;
  if (targets) await readReleases(context, targets.releases, now - dayMs);
  return { refs: targets?.refs ?? 0, compared };
}

async function observeAndJudge(context: LedgerContext): Promise<{ targets: TargetsResult | null; compared: number }> {
  const { store, services } = context;
  const now = services.clock.now();
  const noticed = await store.actionLedger.notices.unobserved(now - withinMs);
  const isNoticed = (_newest: object | undefined, { id }: { id: number }) => noticed.has(id);
  const targets = noticed.size === 0 ? null : await observeTargets(context, isNoticed);
  const moved = await store.actionLedger.unjudgedMoves(now - withinMs);
  const { compared } = moved.length === 0 ? { compared: 0 } : await judgeMoves(context, withinMs);
  return { targets, compared };
}

async function evaluateUsers(context: LedgerContext, metric: string): Promise<void> {
  const { store, services, signal, mayContinue } = context;
  const now = services.clock.now();
  const waiting = await store.actionLedger.unevaluatedUsers({ metric, since: now - withinMs, now });
  if (waiting.size === 0) return;
  for (const repository of await store.repositories.tracked()) {
    if (!waiting.has(repository.id)) continue;
    if (!mayContinue()) return;
    await services.evaluateAfterSync(repository, 'actions', 'cron');
    signal.throwIfAborted();
  }
}
