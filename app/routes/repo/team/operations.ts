import type { PanelsOf } from '../../../../server/http/adapters.ts';
import { getBusFactor } from '../../../../server/reports/bus-factor/operations.ts';
import { getContributors } from '../../../../server/reports/contributors/operations.ts';
import { getTeamRuns } from '../../../../server/reports/runs/operations.ts';
import { getTeamWorkloadRisk } from '../../../../server/reports/workload/operations.ts';
import type { BotChoice } from '../../../components/bot-choice.ts';
import type { TeamView } from './views.ts';

/** What the pages about a team request. */
const teamOperations = {
  contributors: getContributors,
  runs: getTeamRuns,
  knowledge: getBusFactor,
  workload: getTeamWorkloadRisk,
};

const { contributors, knowledge, workload, runs } = teamOperations;

/** What the parts of a team page request. */
export const operationsOfView: Record<TeamView, Partial<typeof teamOperations>> = {
  people: { contributors },
  reviews: { contributors },
  knowledge: { knowledge },
  workload: { workload },
  runs: { runs },
  repositories: { contributors },
};

export type TeamAnswers = PanelsOf<typeof teamOperations>;

type ResultData<Answer> = Extract<Answer, { ok: true }> extends { data: infer Data } ? Data : never;
export type Contributors = ResultData<TeamAnswers['contributors']>;
/** What is shown of the people of one repository, or of several together. */
export type TeamFigures = Omit<Contributors, AboutReading | 'coverage'> & {
  coverage: Omit<Contributors['coverage'], 'search_slices' | 'reasons'>;
};
type AboutReading = 'fetched_prs' | 'total_prs_analysed' | 'total_prs_attempted';
export type TeamRuns = ResultData<TeamAnswers['runs']>;

/** Whose team a part of a page is about: that of one repository, or without `repo` of all tracked ones of the owner. */
export interface TeamScope {
  owner: string;
  repo: string | null;
  bots?: BotChoice;
  /** What the address asks to compare with; `off` for nothing. */
  compare?: string | null;
}
