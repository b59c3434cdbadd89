import { getContributors, getTeamRuns } from '../../../../server/api/contributors.ts';
import { getBusFactor, getTeamWorkloadRisk } from '../../../../server/api/workload.ts';
import type { PanelsOf } from '../../../../server/http/doors.ts';

/** What the pages about a team ask. */
export const teamOperations = {
  contributors: getContributors,
  runs: getTeamRuns,
  knowledge: getBusFactor,
  workload: getTeamWorkloadRisk,
};

export type TeamAnswers = PanelsOf<typeof teamOperations>;

type DataOf<Answer> = Extract<Answer, { ok: true }> extends { data: infer Data } ? Data : never;
export type Contributors = DataOf<TeamAnswers['contributors']>;
export type TeamRuns = DataOf<TeamAnswers['runs']>;
