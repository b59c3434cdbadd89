import { z } from 'zod';
import { feature } from '../../access/rules.ts';
import { operation } from '../../api/operation.ts';
import { identifier, org, repository, repositoryName } from '../../api/parameters.ts';
import { dependOnRepository, dependOnScope, untilWindowsMove } from '../kernel/dependencies.ts';
import { comparisons, range } from '../kernel/period.ts';
import { WorkflowDurations, workflowDurations } from './durations.ts';
import { ciReport, mayReadCosts } from './report.ts';
import { CiReport, ciTables, nameFilter, sortDirections, workflowSorts } from './schema.ts';
import { toExactRow } from './table.ts';

export const getCiWorkflows = operation({
  method: 'GET',
  path: '/api/db/workflows',
  summary:
    'Every workflow of a scope from stored runs: duration, failures, flakiness, queue wait and cost; as a table what `table` names',
  access: feature('reports'),
  input: z.object({
    org: org.optional().meta({ description: 'Organization or user; without it every repository the caller can see.' }),
    repo: repositoryName.optional().meta({ description: 'One repository, as owner/name.' }),
    range: range.default('30'),
    compare: z.enum(comparisons).default('previous'),
    q: nameFilter,
    sort: z.enum(workflowSorts).default('cost'),
    direction: z.enum(sortDirections).optional().meta({
      description: 'Without it `asc` by name, else `desc`. What is not known comes last either way.',
    }),
    table: z.enum(ciTables).default('workflows'),
  }),
  output: CiReport,
  rows: ({ table, workflows, days }) => (table === 'days' ? days : workflows.map(toExactRow)),
  async dependsOn(input, context) {
    const { sees, ...rest } = await dependOnScope(input, context);
    return { ...rest, sees: `${sees} ${await mayReadCosts(context)}` };
  },
  run: ciReport,
});

export const getWorkflowDurations = operation({
  method: 'GET',
  path: '/api/db/workflow-durations',
  summary: 'Median and p90 duration of a workflow by day, from stored runs; as a table the days',
  access: feature('reports'),
  input: z.object({
    ...repository,
    workflow_id: identifier,
    range: range.default('30'),
    compare: z.enum(comparisons).default('previous'),
  }),
  output: WorkflowDurations,
  rows: ({ days }) => days,
  dependsOn: (input, context) => dependOnRepository(input, context, untilWindowsMove(context.services.clock.now())),
  run: workflowDurations,
});
