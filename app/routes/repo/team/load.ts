import { teamOperations } from './operations.ts';
import type { TeamView } from './views.ts';

const { contributors, knowledge, workload, runs } = teamOperations;

/** What the parts of a team page ask. */
export const operationsOfView: Record<TeamView, Partial<typeof teamOperations>> = {
  people: { contributors },
  reviews: { contributors },
  knowledge: { knowledge },
  workload: { workload },
  runs: { runs },
  repositories: { contributors },
};
