import { z } from 'zod';
import type { Context } from '../../access/context.ts';
import { feature } from '../../access/rules.ts';
import { type Limit, type Operation, operation } from '../../api/operation.ts';
import { outcomeKeys } from '../../metrics/ai-authorship/comparison/outcomes.ts';
import { dayMs } from '../../metrics/kernel/window.ts';
import { advisorScope } from '../advisor/scope.ts';
import { agentTable } from './agents.ts';
import { authorshipByRepository } from './by-repository.ts';
import { authorshipComparison } from './comparison.ts';
import { AuthorshipByRepository, AuthorshipComparison, AuthorshipCost, comparedClasses } from './comparison-schema.ts';
import { authorshipCost } from './cost.ts';
import { whereOn } from './in-effect.ts';
import { monthsInput } from './months.ts';
import { AgentTable, AuthorshipSummary, AuthorshipTrend } from './schema.ts';
import { authorshipSummary } from './summary.ts';
import { authorshipTrend } from './trend.ts';

/** So that nobody finds out about a few people by asking again and again. */
const answersPerDay: Limit = {
  bucket: 'ai-authorship',
  times: 200,
  windowMs: dayMs,
  per: 'account',
  counts: 'after',
  applies: async ({ isDemo }: Context) => !isDemo,
};

/** What all answers of what was measured have in common. */
const read = {
  access: feature('aiAuthorship'),
  limit: answersPerDay,
  failures: ['feature_off', 'not_found', 'db_not_configured'],
} satisfies Partial<Operation>;

const scopeInMonths = { ...advisorScope, ...monthsInput };

export const getAuthorshipSummary = operation({
  method: 'GET',
  path: '/api/ai-authorship/summary',
  summary: 'What share of pull requests carries a mark of an AI agent, never by person; CSV: the classes',
  ...read,
  input: z.object(scopeInMonths),
  output: AuthorshipSummary,
  rows: ({ classes, note }) =>
    classes.map(({ share_interval, ...one }) => ({
      ...one,
      share_low: share_interval?.low ?? null,
      share_high: share_interval?.high ?? null,
      note,
    })),
  run: whereOn(authorshipSummary),
});

export const getAuthorshipTrend = operation({
  method: 'GET',
  path: '/api/ai-authorship/trend',
  summary: 'The shares of marked pull requests by month; CSV: the months',
  ...read,
  input: z.object(scopeInMonths),
  output: AuthorshipTrend,
  rows: ({ months, note }) =>
    months.map(({ month, shares, suppressed, partial }) => ({ month, ...shares, suppressed, partial, note })),
  run: whereOn(authorshipTrend),
});

const comparedClass = z.enum(comparedClasses).optional().meta({ description: 'agent_authored where nothing is said.' });

export const getAuthorshipComparison = operation({
  method: 'GET',
  path: '/api/ai-authorship/comparison',
  summary: 'Marked pull requests compared with similar ones without a mark, never by person; CSV: the outcomes',
  ...read,
  input: z.object({
    ...scopeInMonths,
    class: comparedClass,
    agent: z.string().max(100).optional().meta({ description: 'One agent alone, with 100 pull requests or more.' }),
  }),
  output: AuthorshipComparison,
  rows: ({ outcomes, note }) =>
    outcomes.map(({ marked, comparable, interval, reasons, ...one }) => ({
      ...one,
      marked: marked.value,
      marked_prs: marked.prs,
      comparable: comparable.value,
      comparable_prs: comparable.prs,
      low: interval?.low ?? null,
      high: interval?.high ?? null,
      reasons: reasons.join(' '),
      note,
    })),
  run: whereOn(authorshipComparison),
});

export const getAuthorshipByRepository = operation({
  method: 'GET',
  path: '/api/ai-authorship/by-repository',
  summary:
    'One outcome of marked pull requests beside those like them, repository by repository; CSV: the repositories',
  ...read,
  input: z.object({
    ...scopeInMonths,
    class: comparedClass,
    outcome: z.enum(outcomeKeys).optional().meta({ description: 'merged_30d where nothing is said.' }),
  }),
  output: AuthorshipByRepository,
  rows: ({ repositories, outcome, effect_unit, note }) =>
    repositories.map(({ repo, sets, effect, interval, suppressed }) => ({
      repo,
      outcome,
      sets,
      effect,
      effect_unit,
      low: interval?.low ?? null,
      high: interval?.high ?? null,
      suppressed,
      note,
    })),
  run: whereOn(authorshipByRepository),
});

export const getAuthorshipCost = operation({
  method: 'GET',
  path: '/api/ai-authorship/cost',
  summary:
    'What the runs of marked pull requests cost beside those of others like them, never by person; CSV: the classes',
  ...read,
  input: z.object(scopeInMonths),
  output: AuthorshipCost,
  rows: ({ classes, note }) =>
    classes.map(({ comparable, usd_interval, ...one }) => ({
      ...one,
      comparable_prs: comparable.prs,
      comparable_ci_minutes_per_pr: comparable.ci_minutes_per_pr,
      comparable_ci_usd_per_pr: comparable.ci_usd_per_pr,
      comparable_failed_usd: comparable.failed_usd,
      usd_low: usd_interval?.low ?? null,
      usd_high: usd_interval?.high ?? null,
      note,
    })),
  run: whereOn(authorshipCost),
});

export const getAgentTable = operation({
  method: 'GET',
  path: '/api/ai-authorship/agents',
  summary: 'By which ids, addresses, branches and trailers agents are recognized; CSV: the rows',
  access: feature('aiAuthorship'),
  input: z.object({}),
  output: AgentTable,
  rows: ({ agents, note }) => agents.map((one) => ({ ...one, note })),
  failures: ['feature_off', 'db_not_configured'],
  run: whereOn(agentTable),
});
