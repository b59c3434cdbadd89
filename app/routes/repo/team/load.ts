import { loadPanels, type PanelRequest } from '../../../../server/http/adapters.ts';
import { type TeamAnswers, teamOperations } from './operations.ts';
import type { TeamView } from './views.ts';

const { contributors, knowledge, workload, runs } = teamOperations;

const operationsOf: Record<TeamView, Partial<typeof teamOperations>> = {
  people: { contributors },
  reviews: { contributors },
  knowledge: { knowledge },
  workload: { workload },
  runs: { runs },
  repositories: { contributors },
};

/** What one part of a team page shows. */
export const loadTeamView = (
  request: PanelRequest,
  view: TeamView,
  extra: NonNullable<PanelRequest['extra']>,
): Promise<Partial<TeamAnswers>> => loadPanels({ ...request, extra }, operationsOf[view]);

/** The status with which there is no page: the repository is not there, or the address is wrong. */
export function refusedStatus(answers: Partial<TeamAnswers>): number | null {
  const statuses = Object.values(answers).map((answer) => (answer.ok ? 200 : answer.problem.status));
  return statuses.find((status) => status === 400 || status === 404) ?? null;
}
