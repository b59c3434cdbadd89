import { alertDeliveries } from './alert-deliveries.ts';
import { alertEvaluation } from './alert-evaluation.ts';
import { helping } from './helping.ts';
import { housekeeping } from './housekeeping.ts';
import type { Job } from './job.ts';
import { purge } from './purge.ts';
import { rollups } from './rollups.ts';
import { runsSync } from './runs-sync.ts';
import { syncCommitFacts } from './sync-commit-facts.ts';
import { syncPrFacts } from './sync-pr-facts.ts';

/** Everything that happens by itself. */
export const jobs: readonly Job[] = [
  rollups,
  alertEvaluation,
  alertDeliveries,
  helping,
  housekeeping,
  purge,
  runsSync,
  syncPrFacts,
  syncCommitFacts,
];
