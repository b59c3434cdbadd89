// The pages that can be shared, each with the operations it is drawn from and the fields of their answers that leave.
// What a later version adds to an operation is not shared until it is named, and nobody's name ever is.
import type { z } from 'zod';
import type { FeatureKey } from '../../access/features.ts';
import type { Params } from '../../mcp/tool.ts';
import { getCiWorkflows, getWorkflowDurations } from '../../reports/ci/operations.ts';
import { getComparison } from '../../reports/comparison/operations.ts';
import { getDelivery } from '../../reports/delivery/operations.ts';
import { getDeployments } from '../../reports/deployments/operations.ts';
import { getTrends } from '../../reports/history/operations.ts';
import { getIssues } from '../../reports/issues/operations.ts';
import { getJobStats } from '../../reports/jobs/operations.ts';
import { explanations } from '../../reports/kernel/explanations.ts';
import { getOrgOverview } from '../../reports/organization/operations.ts';
import { getOpenPullRequests } from '../../reports/pull-requests/operations.ts';
import { getWorkflowReliability } from '../../reports/reliability/operations.ts';
import { getRepositorySummary } from '../../reports/repositories/operations.ts';
import { getRuns } from '../../reports/runs/operations.ts';
import { getOrgHealthScorecard } from '../../reports/scorecard/operations.ts';
import { getRepositoryOverview, getWorkflowHealth } from '../../reports/workflows/operations.ts';
import { deploymentsFields } from '../../sharing/deployments-fields.ts';
import { explainFields } from '../../sharing/explain-fields.ts';
import type { SharedFields } from '../../sharing/fields.ts';
import { issuesFields } from '../../sharing/issues-fields.ts';
import { healthFields, organizationFields } from '../../sharing/organization-fields.ts';
import { comparisonFields, trendsFields } from '../../sharing/reports-fields.ts';
import {
  deliveryFields,
  openPullRequestsFields,
  summaryFields,
  workflowsFields,
} from '../../sharing/repository-fields.ts';
import {
  durationsFields,
  jobStatsFields,
  reliabilityFields,
  runFields,
  workflowFiguresFields,
  workflowHealthFields,
} from '../../sharing/workflow-fields.ts';
import { explain } from '../explain.ts';
import type { Operation } from '../operation.ts';

export interface SharedPart {
  operation: Operation;
  params: Params;
  fields: SharedFields<unknown>;
  /** Whether the page is drawn without it where its maker has no access to it. */
  isOptional: boolean;
  /** The part of the answer that the page is about. */
  narrow(answer: unknown): unknown;
}

interface PartOptions<Answer> {
  isOptional?: boolean;
  narrow?(answer: Answer): Answer;
}

/** What an operation answers of a page. */
const part = <In extends z.ZodObject, Out extends z.ZodType>(
  operation: Operation<In, Out>,
  params: Params,
  fields: SharedFields<z.output<Out>>,
  { isOptional = false, narrow = (answer) => answer }: PartOptions<z.output<Out>> = {},
) => ({ operation, params, fields, isOptional, narrow }) as unknown as SharedPart;

/** The parts of the path and the choices of the query of a page, by name. */
export type Place = Readonly<Record<string, string | undefined>>;

export interface ShareablePage {
  /** The parameters of its query that a link may have. */
  choices: readonly string[];
  /** Whether what it shows with these choices can be shared; else all of it can. */
  isShared?(place: Place): boolean;
  parts(place: Place): Record<string, SharedPart>;
}

/** Figures about people, cost, security and alerts have no explanation that is shared. */
const explained: ReadonlySet<FeatureKey | null> = new Set([
  null,
  'dora',
  'deployments',
  'prLifecycle',
  'issueHealth',
  'reliabilityTab',
  'performanceTab',
  'orgOverview',
  'healthScorecard',
  'reports',
] as const);

/** The trends of an organization, or of one of its repositories. */
function readReports({ org, repo: name, range = '30', compare = 'previous' }: Place): Record<string, SharedPart> {
  const [owner = org, repo] = name?.split('/') ?? [];
  const isOfDays = compare === 'previous' && /^\d+$/.test(range);
  const metrics = 'success_rate,duration_p50,queue_p95,merged,first_review';
  const type = repo === undefined ? 'org' : 'daily';
  return {
    daily: part(getTrends, { owner, repo, type, range, compare }, trendsFields),
    // Whole days of other periods are those of the chart, which is not read yet.
    ...(isOfDays && { comparison: part(getComparison, { owner, repo, metrics, days: range }, comparisonFields) }),
    ...(repo && { quarterly: part(getTrends, { owner, repo, type: 'quarterly' }, trendsFields) }),
  };
}

/** The first tab of a workflow: of a range where its runs are stored, else of its latest ones. */
function readWorkflow({ owner, repo, workflow_id, per_page, range, compare }: Place): Record<string, SharedPart> {
  const params = { owner, repo, workflow_id, per_page: per_page ?? '50' };
  const ofRange = {
    figures: part(getCiWorkflows, { repo: `${owner}/${repo}`, range, compare }, workflowFiguresFields, {
      isOptional: true,
      narrow: (answer) => ({
        ...answer,
        workflows: answer.workflows.filter((one) => String(one.workflow_id) === workflow_id),
      }),
    }),
    durations: part(getWorkflowDurations, { owner, repo, workflow_id, range }, durationsFields, { isOptional: true }),
  };
  return {
    runs: part(getRuns, params, runFields),
    health: part(getWorkflowHealth, params, workflowHealthFields),
    reliability: part(getWorkflowReliability, params, reliabilityFields),
    jobStats: part(getJobStats, params, jobStatsFields),
    // A number of runs wins over a range.
    ...(per_page === undefined && ofRange),
  };
}

const isExplainedShared = ({ metric = '' }: Place): boolean => {
  const explanation = explanations.get(metric);
  return explanation !== undefined && explained.has(explanation.feature);
};

export const shareablePages = {
  '/repos/:owner/:repo': {
    choices: [],
    parts: ({ owner, repo }) => ({
      delivery: part(getDelivery, { owner, repo }, deliveryFields),
      deployments: part(getDeployments, { owner, repo }, deploymentsFields),
      openPullRequests: part(getOpenPullRequests, { owner, repo }, openPullRequestsFields),
      summary: part(getRepositorySummary, { owner, repo }, summaryFields),
      workflows: part(getRepositoryOverview, { owner, repo }, workflowsFields),
    }),
  },
  '/repos/:owner/:repo/workflows/:workflow_id': {
    choices: ['per_page', 'range', 'compare'],
    // Other tabs and single runs have what is not shared.
    isShared: ({ tab, run }) => !tab && !run,
    parts: readWorkflow,
  },
  '/repos/:owner/:repo/deployments': {
    choices: ['environment'],
    parts: ({ owner, repo }) => ({ deployments: part(getDeployments, { owner, repo }, deploymentsFields) }),
  },
  '/repos/:owner/:repo/issues': {
    choices: ['range'],
    parts: ({ owner, repo, range: days = '30' }) => ({
      issues: part(getIssues, { owner, repo, days }, issuesFields),
    }),
  },
  '/org/:org': {
    choices: ['limit'],
    parts: ({ org, limit }) => ({
      // Figures are of twenty repositories, however many are listed.
      overview: part(getOrgOverview, { org, limit: 20 }, organizationFields),
      listed: part(getOrgOverview, { org, limit: limit ?? 20 }, organizationFields),
    }),
  },
  '/org/:org/health': {
    choices: ['limit', 'band', 'sort', 'dir'],
    parts: ({ org, limit }) => ({ health: part(getOrgHealthScorecard, { org, limit }, healthFields) }),
  },
  '/reports': {
    choices: ['org', 'repo', 'range', 'compare'],
    isShared: ({ org, repo }) => Boolean(org || repo),
    parts: readReports,
  },
  '/explain': {
    choices: [
      'metric',
      'owner',
      'repo',
      'org',
      'workflow_id',
      'environment',
      'job',
      'range',
      'days',
      'per_page',
      'bots',
    ],
    isShared: isExplainedShared,
    parts: (place) => ({ explained: part(explain, place, explainFields) }),
  },
} as const satisfies Record<string, ShareablePage>;

/** Choices whose values were written by strangers, who may have named somebody there. All others are as they are. */
export const strangersChoices = ['environment', 'job'] as const;

export type ShareablePattern = keyof typeof shareablePages;

export interface FoundPage {
  pattern: ShareablePattern;
  /** The parts of its path. */
  place: Record<string, string>;
  /** The choices of its query. */
  choices: Record<string, string>;
}

/** The page at a path with its query; null for one that cannot be shared. */
export function findShareable(address: string): FoundPage | null {
  const url = URL.parse(address, 'http://page');
  if (!address.startsWith('/') || url?.origin !== 'http://page') return null;
  for (const [pattern, page] of Object.entries(shareablePages)) {
    const { choices, isShared = () => true }: ShareablePage = page;
    const place = matchPath(pattern, url.pathname);
    if (!place || !isShared({ ...Object.fromEntries(url.searchParams), ...place })) continue;
    const chosen = choices.flatMap((name) => {
      const value = url.searchParams.get(name);
      return value ? [[name, value] as const] : [];
    });
    return { pattern: pattern as ShareablePattern, place, choices: Object.fromEntries(chosen) };
  }
  return null;
}

/** The one address of a page, whichever way it was written. */
export function pageAddress({ pattern, place, choices }: FoundPage): string {
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => place[name] ?? '');
  const query = new URLSearchParams(choices);
  return query.size > 0 ? `${path}?${query}` : path;
}

/** The parts of a path by their names in the pattern, as the router finds them: in any case, with or without an end. */
function matchPath(pattern: string, path: string): Record<string, string> | null {
  const found = new RegExp(`^${pattern.replace(/:(\w+)/g, '(?<$1>[^/]+)')}/?$`, 'i').exec(path);
  return found && { ...found.groups };
}
