import type { JobContext } from '../../../jobs/job.ts';
import type { Services } from '../../access/context.ts';
import type { Platform } from '../../codehost/changes/client.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { toMoveClass } from '../../metrics/security/ref-ledger.ts';
import { Problem } from '../../platform/problem.ts';
import { openServiceToken } from '../../platform/service-token.ts';
import type { Store } from '../../store/orm.ts';
import { problemResult } from '../repository-sync-result.ts';
import { observeTargets, type TargetsResult } from './targets.ts';
import { readUses, type UsesResult } from './uses.ts';

/** What the steps of a reading work with. */
export interface LedgerContext {
  services: Services;
  store: Store;
  codehost: Platform;
  mayContinue(): boolean;
}

export interface LedgerResult {
  uses: UsesResult | null;
  targets: TargetsResult | null;
  /** Moves that were compared with the commit before. */
  compared: number;
  complete: boolean;
  /** When the platform gives more again. */
  resumeAt: Instant | null;
}

/**
 * Reads which actions tracked repositories use, and where their refs lead. What was stored before the quota was spent
 * stays; the next call goes on.
 */
export async function runActionLedger({ services, mayContinue, since }: JobContext): Promise<LedgerResult> {
  const { store, env, clock } = services;
  if (!store || !env.CODEHOST_TOKEN) throw new Error('Reading refs of actions needs a database and a token.');
  const codehost = services.connect(openServiceToken(env.CODEHOST_TOKEN), { background: true });
  const context = { services, store, codehost, mayContinue };
  const result: LedgerResult = { uses: null, targets: null, compared: 0, complete: false, resumeAt: null };
  try {
    result.uses = await readUses(context, new Date(clock.now()).toISOString().slice(0, 10));
    result.targets = await observeTargets(context, since);
    result.complete = (await compareMoves(context, result)) && result.uses.complete && result.targets.complete;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { resumeAt } = problemResult(error, clock.now());
    if (resumeAt === undefined) throw error;
    result.resumeAt = resumeAt;
  }
  return result;
}

/** Compares the commits of each new move, once: what came of it is stored. Answers whether all were. */
async function compareMoves({ store, codehost, mayContinue }: LedgerContext, result: LedgerResult): Promise<boolean> {
  for (const move of await store.actionLedger.unclassifiedMoves()) {
    if (!mayContinue()) return false;
    const comparison = await codehost.compareCommits(move, move.previousCommit, move.commit);
    await store.actionLedger.classify(move, toMoveClass(comparison));
    result.compared += 1;
  }
  return true;
}
