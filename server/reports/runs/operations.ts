import { z } from 'zod';
import { feature, member } from '../../access/rules.ts';
import { operation } from '../../api/operation.ts';
import { branchName, clamped, identifier, repository } from '../../api/parameters.ts';
import { defaultBranchOnly } from '../../domain/default-branch.ts';
import { dependOnReadings } from '../kernel/dependencies.ts';
import { JobItem, runDetails } from './details.ts';
import { RunItem, workflowRuns } from './report.ts';
import { TeamRunsReport, teamRunsReport } from './team.ts';

export const getRuns = operation({
  method: 'GET',
  path: '/api/codehost/runs',
  summary: 'Newest runs of a workflow',
  access: member,
  input: z.object({
    ...repository,
    workflow_id: identifier,
    per_page: clamped(1, 100, 50),
    branch: branchName.optional().meta({
      description: `Runs of this branch, pull requests from it included; of \`${defaultBranchOnly}\` those with \`is_default_branch\`, among the newest 100 on a branch of that name. Without it of all branches.`,
    }),
  }),
  output: z.array(RunItem),
  rows: (items) => items,
  dependsOn: dependOnReadings,
  run: workflowRuns,
});

export const getRunDetails = operation({
  method: 'GET',
  path: '/api/codehost/run-details',
  summary: 'Jobs and steps of a run',
  access: member,
  input: z.object({ ...repository, run_id: identifier, attempt: identifier.optional() }),
  output: z.array(JobItem),
  rows: (items) => items,
  dependsOn: dependOnReadings,
  run: runDetails,
});

export const getTeamRuns = operation({
  method: 'GET',
  path: '/api/codehost/team-stats',
  summary: 'Completed workflow runs per person who caused them; CSV: the contributors',
  access: feature('teamInsights'),
  input: z.object({ ...repository, per_page: clamped(1, 100, 100) }),
  output: TeamRunsReport,
  rows: ({ contributors }) => contributors,
  dependsOn: dependOnReadings,
  run: teamRunsReport,
});
