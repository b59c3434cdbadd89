import { alertDeliveries } from './alert-deliveries.ts';
import { alertEvaluation } from './alert-evaluation.ts';
import { commitFacts } from './commit-facts.ts';
import { housekeeping } from './housekeeping.ts';
import type { Job } from './job.ts';
import { prFacts } from './pr-facts.ts';
import { purge } from './purge.ts';
import { rollups } from './rollups.ts';
import { runsSync } from './runs-sync.ts';
import { worker } from './worker.ts';

/** Everything that happens by itself. */
export const jobs: readonly Job[] = [
  rollups,
  alertEvaluation,
  alertDeliveries,
  worker,
  housekeeping,
  purge,
  runsSync,
  prFacts,
  commitFacts,
];
