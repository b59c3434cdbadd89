import type { Actor, Context } from '../access/context.ts';
import { decide, offers } from '../access/decision.ts';
import { type FeatureKey, featureKeys } from '../access/features.ts';
import {
  type Access,
  administrator,
  anyone,
  feature,
  featureOrOwn,
  member,
  organizationAdministrator,
  sharedAddress,
  signedIn,
} from '../access/rules.ts';
import { explain } from '../api/explain.ts';
import type { Operation } from '../api/operation.ts';
import { getViews } from '../api/views/operations.ts';
import { Problem } from '../platform/problem.ts';
import { fileIssue } from '../reports/filed-issues/operations.ts';
import { search } from '../reports/search/operations.ts';
import { hiddenFeatures } from './preferences.ts';

/**
 * Who may open which page, by its address as `app/routes.ts` has it; of several rules one is enough. What is not here
 * does not open. The pages of the demo are open to everybody.
 */
const pages = {
  '': [member],
  repositories: [member],
  'repos/:owner/:repo': [member],
  'repos/:owner/:repo/pull-requests': [feature('prLifecycle'), feature('dora')],
  'repos/:owner/:repo/merge-queue': [feature('mergeQueue')],
  'repos/:owner/:repo/merge-queue/entries': [feature('mergeQueue')],
  'repos/:owner/:repo/merge-queue/batches': [feature('mergeQueue')],
  'repos/:owner/:repo/workflows': [member],
  'repos/:owner/:repo/workflows/:workflowId': [member],
  'repos/:owner/:repo/deployments': [feature('deployments')],
  'repos/:owner/:repo/team': [feature('teamInsights')],
  'repos/:owner/:repo/issues': [feature('issueHealth')],
  'repos/:owner/:repo/issues/new': [fileIssue.access],
  'repos/:owner/:repo/security': [feature('securityScan'), feature('securityAlerts')],
  'repos/:owner/:repo/changes': [feature('auditTrail')],
  'repos/:owner/:repo/advisor': [feature('ciAdvisor')],
  'repos/:owner/:repo/advisor/pull-request': [feature('ciAdvisor')],
  'repos/:owner/:repo/advisor/:id': [feature('ciAdvisor')],
  team: [feature('teamInsights')],
  'contributor/:login': [featureOrOwn('contributorProfile')],
  'contributor/:login/brief': [featureOrOwn('contributorProfile')],
  'org/:org': [feature('orgOverview')],
  'org/:org/health': [feature('healthScorecard')],
  'org/:org/advisor': [feature('ciAdvisor')],
  'org/:org/actions': [feature('exposure')],
  'org/:org/exposure': [feature('exposure')],
  'org/:org/ai-authorship': [feature('aiAuthorship')],
  'org/:org/merge-queues': [feature('mergeQueue')],
  security: [feature('securityScan'), feature('securityAlerts')],
  'pull-requests': [feature('prLifecycle')],
  deployments: [feature('deployments')],
  ci: [feature('reports')],
  cost: [feature('costAnalytics')],
  reports: [feature('reports')],
  alerts: [feature('alerts')],
  'working-habits': [member],
  search: [search.access],
  views: [getViews.access],
  explain: [explain.access],
  settings: [member],
  'settings/session': [signedIn],
  'settings/tokens': [member],
  'settings/shares': [member],
  'settings/sharing': [administrator],
  'settings/team': [administrator],
  'settings/working-habits': [administrator],
  'settings/advisor': [administrator],
  'settings/ai-authorship': [administrator],
  'settings/ai': [administrator],
  'settings/email': [administrator],
  'settings/telemetry': [administrator],
  'settings/webhooks': [administrator],
  'settings/jobs': [administrator],
  'admin/users': [organizationAdministrator],
  'admin/sessions': [organizationAdministrator],
  'admin/tokens': [organizationAdministrator],
  'admin/permissions': [organizationAdministrator],
  'admin/audit': [organizationAdministrator],
  'admin/identity-links': [organizationAdministrator],
  login: [anyone],
  setup: [anyone],
  'no-access': [signedIn],
  'sign-out': [anyone],
  theme: [anyone],
  // The token in its address decides.
  's/:token': [sharedAddress],
  docs: [anyone],
  'docs/api': [anyone],
  'docs/metrics': [anyone],
  'docs/metrics/:metric': [anyone],
  'docs/open/:page': [anyone],
  'docs/:section': [anyone],
  // What they lead to decides.
  'repos/:owner/:repo/audit': [anyone],
  'cost-analytics': [anyone],
  '*': [anyone],
} as const satisfies Record<string, readonly [Access, ...Access[]]>;

export type PagePath = keyof typeof pages;

export const pagePaths = Object.keys(pages) as PagePath[];

/** The rules of a page, by its address as `app/routes.ts` has it; null for one that nobody has thought of. */
export function findPageAccess(path: string): readonly [Access, ...Access[]] | null {
  if (/^demo(\/|$)/.test(path)) return [anyone];
  return Object.hasOwn(pages, path) ? pages[path as PagePath] : null;
}

/** Lets a page be opened, or throws the error, before any of it is requested. */
export async function decidePage(context: Context, path: string): Promise<void> {
  const rules = findPageAccess(path);
  if (!rules) throw new Problem('unregistered', 'There is nothing at this address that anybody may use.');
  const actor = rules.length > 1 ? await context.actor() : null;
  const rule = actor && rules.find((one) => offers(one, context, actor));
  await decide(rule ?? rules[0], context);
}

/** The pages that links may lead this caller to: those that open and are not hidden; null is a visitor. */
export function offeredPages(context: Context, actor: Actor | null): PagePath[] {
  const hidden = hiddenFeatures(context);
  // Without a login: that the caller's own profile is open does not open links to others.
  const person = actor && { isAdmin: actor.isAdmin, groups: actor.groups, granted: actor.granted };
  const isOffered = (rule: Access) => (person ? offers(rule, context, person) : rule.name === 'anyone');
  return pagePaths.filter((path) => pages[path].some((rule) => isOffered(rule) && !isHidden(rule, hidden)));
}

/** The features that are open to this caller. */
export const offeredFeatures = (context: Context, actor: Actor | null): FeatureKey[] =>
  featureKeys.filter((key) => actor && offers(feature(key), context, actor));

type Person = Parameters<typeof offers>[2];

/** The pages that would open for somebody. */
export function openPages(
  context: Context,
  { is_admin, groups, features }: { is_admin: boolean; groups: Person['groups']; features: Person['granted'] },
): PagePath[] {
  const person = { isAdmin: is_admin, groups, granted: features };
  return pagePaths.filter((path) => pages[path].some((rule) => offers(rule, context, person)));
}

/** Whether a form or a choice that leads to this operation is shown. */
export async function isOffered({ access }: Pick<Operation, 'access'>, context: Context): Promise<boolean> {
  return offers(access, context, await context.actor()) && !isHidden(access, hiddenFeatures(context));
}

/** Whether what a rule guards is something that this browser's owner hides. */
export const isHidden = ({ name }: Access, hidden: readonly string[]): boolean =>
  hidden.some((key) => name === `feature:${key}`);
