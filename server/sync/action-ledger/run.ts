import type { JobContext } from '../../../jobs/job.ts';
import type { Services } from '../../access/context.ts';
import type { Platform } from '../../codehost/changes/client.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { Problem } from '../../platform/problem.ts';
import { openServiceToken } from '../../platform/service-token.ts';
import type { Store } from '../../store/orm.ts';
import { problemResult } from '../repository-sync-result.ts';
import { readAdvisories } from './advisories.ts';
import { judgeMoves, type MovesResult } from './moves.ts';
import { keepProblem } from './problems.ts';
import { readReleases } from './releases.ts';
import { isDueSince, observeTargets, type TargetsResult } from './targets.ts';
import { followUses, type InTurnResult } from './used-in-turn.ts';
import { readUses, type UsesResult } from './uses.ts';

/** What the steps of a reading work with. */
export interface LedgerContext {
  services: Services;
  store: Store;
  codehost: Platform;
  /** Raised when another process may have taken over: nothing more is written then. */
  signal: AbortSignal;
  mayContinue(): boolean;
}

export interface LedgerResult {
  uses: UsesResult | null;
  targets: TargetsResult | null;
  inTurn: InTurnResult | null;
  moves: MovesResult | null;
  complete: boolean;
  /** When the platform gives more again. */
  resumeAt: Instant | null;
}

/**
 * Reads which actions tracked repositories use, and where their refs lead. What was stored before the quota was spent
 * stays; the next call goes on.
 * @throws Problem when the token is rejected, or when no request for refs was answered.
 */
export async function runActionLedger({ services, signal, mayContinue, since }: JobContext): Promise<LedgerResult> {
  const { store, env, clock } = services;
  if (!store || !env.CODEHOST_TOKEN) throw new Error('Reading refs of actions needs a database and a token.');
  const codehost = services.connect(openServiceToken(env.CODEHOST_TOKEN), { background: true });
  const context = { services, store, codehost, signal, mayContinue };
  const result: LedgerResult = {
    uses: null,
    targets: null,
    inTurn: null,
    moves: null,
    complete: false,
    resumeAt: null,
  };
  try {
    const startedAt = clock.now();
    result.uses = await readUses(context, new Date(startedAt).toISOString().slice(0, 10));
    const targets = await observeTargets(context, isDueSince(since));
    result.targets = targets;
    const hasRest = await readRest(context, { targets, since: since ?? startedAt }, result).catch(keepProblem);
    if (targets.failure) throw targets.failure;
    const hasEvaluated = await evaluateRules(context);
    if (hasRest instanceof Problem) throw hasRest;
    result.complete = result.uses.complete && targets.complete && hasRest && hasEvaluated;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { resumeAt } = problemResult(error, clock.now());
    if (resumeAt === undefined) throw error;
    result.resumeAt = resumeAt;
  }
  return result;
}

interface Observed {
  targets: TargetsResult;
  /** What was observed since then is of this slot. */
  since: Instant;
}

/**
 * Judges moves, reads what is used in turn, advisories and releases, and adds to the result what was found. Answers
 * whether there was time for all of it, and the platform gave it.
 */
async function readRest(context: LedgerContext, { targets, since }: Observed, result: LedgerResult): Promise<boolean> {
  // Before the rest takes the time: an alarm is not to wait.
  const early = await judgeMoves(context);
  result.moves = early;
  const inTurn = await followUses(context, async () => {
    // What a repository uses in turn is only known again when its changed workflow files were followed.
    const found = await observeTargets(context, (newest) => newest === undefined || newest.observedTo < since);
    targets.refs += found.refs;
    targets.unreadable += found.unreadable;
    targets.releases.push(...found.releases);
    return found;
  });
  result.inTurn = inTurn;
  const late = await judgeMoves(context);
  result.moves = { ...late, compared: early.compared + late.compared };
  const hasAdvisories = await readAdvisories(context);
  const hasReleases = await readReleases(context, targets.releases, since);
  return inTurn.complete && late.complete && hasAdvisories && hasReleases;
}

/**
 * Evaluates the rules over what was observed, of every tracked repository: a move that alarms is not to wait. Saved
 * searches come last, and do not decide the answer: whether there was time for all others.
 */
async function evaluateRules({ services, store, signal, mayContinue }: LedgerContext): Promise<boolean> {
  const repositories = await store.repositories.tracked();
  for (const repository of repositories) {
    if (!mayContinue()) return false;
    await services.evaluateAfterSync(repository, 'actions', 'cron');
    signal.throwIfAborted();
  }
  for (const repository of repositories) {
    if (!mayContinue()) break;
    await services.evaluateAfterSync(repository, 'exposure', 'cron');
    signal.throwIfAborted();
  }
  return true;
}
