import { z } from 'zod';
import { feature } from '../../access/rules.ts';
import { operation } from '../../api/operation.ts';
import { billingMonth, org } from '../../api/parameters.ts';
import { costAnalysis } from './analysis.ts';
import { billing } from './report.ts';
import { BillingReport, billTables, CostReport } from './schema.ts';

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
