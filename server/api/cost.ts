import { z } from 'zod';
import { feature } from '../access/rules.ts';
import { billing } from '../reports/billing.ts';
import { BillingReport, billTables, CostReport } from '../reports/billing-schema.ts';
import { costAnalysis } from '../reports/cost-analysis.ts';
import { workflowCost } from '../reports/workflow-cost.ts';
import { costTables, WorkflowCostReport } from '../reports/workflow-cost-schema.ts';
import { operation } from './operation.ts';
import { billingMonth, clamped, identifier, org, repository } from './parameters.ts';

export const getBilling = operation({
  method: 'GET',
  path: '/api/codehost/billing',
  summary: 'Minutes of runners in a month and what they cost; as a table by kind of runner',
  access: feature('costAnalytics'),
  input: z.object({ org: org.optional().meta({ description: 'Without it the caller.' }), ...billingMonth }),
  output: BillingReport,
  rows: ({ by_sku }) => by_sku,
  run: billing,
});

export const getCostAnalysis = operation({
  method: 'GET',
  path: '/api/codehost/billing/cost-analysis',
  summary: "An organization's usage and spend in a month, and where the running month leads; CSV: what `table` names",
  access: feature('costAnalytics'),
  input: z.object({ org, ...billingMonth, table: z.enum(billTables).default('skus') }),
  output: CostReport,
  rows: (answer) => answer[answer.table] ?? [],
  run: costAnalysis,
});

export const getWorkflowCost = operation({
  method: 'GET',
  path: '/api/codehost/workflow-cost',
  summary:
    "What a workflow's newest runs are estimated to cost, per pull request and for nothing; CSV: what `table` names",
  access: feature('costAnalytics'),
  input: z.object({
    ...repository,
    workflow_id: identifier,
    per_page: clamped(1, 50, 30),
    table: z.enum(costTables).default('runs'),
  }),
  output: WorkflowCostReport,
  rows: (answer) => answer[answer.table],
  run: workflowCost,
});
