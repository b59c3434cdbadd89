import { z } from 'zod';
import { billingMonth, identifier, org, owner, repo } from '../../api/parameters.ts';
import { invalidRequest } from '../../platform/problem.ts';
import { getCostAnalysis } from '../../reports/cost/operations.ts';
import { getSpend } from '../../reports/spend/operations.ts';
import { getWorkflowCost } from '../../reports/workflow-cost/operations.ts';
import { paging } from '../input.ts';
import { type Question, tool } from '../tool.ts';
import { costOfAccount } from './ci-cost-of-account.ts';
import { costOfRepository } from './ci-cost-of-repository.ts';
import { costOfWorkflow } from './ci-cost-of-workflow.ts';

const input = z.object({
  owner: owner.optional(),
  repo: repo.optional(),
  workflow_id: identifier.optional(),
  org: org.optional(),
  ...billingMonth,
  ...paging,
});

type Input = z.output<typeof input>;

export const ciCost = tool({
  name: 'ci_cost',
  title: 'Cost of CI',
  question: 'What did CI of acme/shop cost this month, by workflow?',
  description:
    'Minutes and money. With owner and repo: estimated cost of 30 days by workflow, with a forecast; with workflow_id also cost and waste of its newest runs. With org: the bill of a month with its projection, by SKU and repository.',
  input,
  operations: [getWorkflowCost, getSpend, getCostAnalysis],
  questions: (given) => [questionOf(given)],
  run({ owner, repo, workflow_id, org, year, month }, reader) {
    if (org !== undefined) return costOfAccount({ org, year, month }, reader);
    if (owner === undefined || repo === undefined) throw missing({ owner, repo });
    return workflow_id === undefined
      ? costOfRepository({ owner, repo }, reader)
      : costOfWorkflow({ owner, repo, workflow_id }, reader);
  },
});

/** What the caller must be allowed to ask. */
function questionOf({ owner, repo, workflow_id, org }: Input): Question {
  if (org !== undefined) return { operation: getCostAnalysis, params: { org } };
  if (workflow_id === undefined) return { operation: getSpend, params: {} };
  return { operation: getWorkflowCost, params: { owner, repo, workflow_id } };
}

const missing = (given: Pick<Input, 'owner' | 'repo'>) =>
  invalidRequest(
    (['owner', 'repo'] as const)
      .filter((field) => given[field] === undefined)
      .map((field) => ({ field, reason: 'missing', message: `${field} is required unless org is given.` })),
  );
