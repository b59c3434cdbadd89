import { operations } from '../../server/api/registry.ts';
import { law } from '../contract.ts';
import type { Answered } from '../support/service.ts';
import { groupsOf, type Member } from './personas.ts';

/** What the law asks for, distinguished from what the registry says. */
export const ofAdditions: Record<string, string> = {
  'DELETE /api/auth/sessions': 'session',
  'GET /api/settings/otlp': 'admin',
  'PUT /api/settings/otlp': 'admin',
  'DELETE /api/settings/otlp': 'admin',
  'POST /api/settings/otlp/test': 'admin',
  'POST /api/settings/otlp/resend': 'admin',
  'GET /api/settings/webhooks': 'admin',
  'PUT /api/settings/webhooks': 'admin',
  'DELETE /api/settings/webhooks': 'admin',
  'POST /api/settings/webhooks/test': 'admin',
  'POST /api/settings/webhooks/rotate': 'admin',
  'POST /api/settings/otlp/backfills': 'admin',
  'PATCH /api/settings/otlp/backfills': 'admin',
  'GET /api/settings/advisor': 'session',
  'PUT /api/settings/advisor': 'admin',
  'GET /api/settings/ai-authorship': 'feature:aiAuthorship',
  'PUT /api/settings/ai-authorship': 'admin',
  'GET /api/settings/sharing': 'admin',
  'PUT /api/settings/sharing': 'admin',
  'GET /api/shares': 'member',
  'POST /api/shares': 'member',
  'DELETE /api/shares': 'member',
  'GET /api/badges/[badge]': 'share',
  'POST /api/mcp': 'accessToken',
  'GET /api/feeds/[feed]': 'feed',
  'GET /api/tokens': 'session',
  'POST /api/tokens': 'session',
  'DELETE /api/tokens': 'session',
  'GET /api/admin/tokens': 'admin',
  'DELETE /api/admin/tokens': 'admin',
  'GET /api/admin/access': 'admin',
  'GET /api/admin/invitations': 'admin',
  'GET /api/admin/team-members': 'admin',
  'GET /api/admin/teams': 'admin',
  'POST /api/admin/users/groups': 'admin',
  'GET /api/alerts/preview': 'admin',
  'DELETE /api/admin/sessions': 'admin',
  'GET /api/admin/sessions': 'admin',
  'GET /api/admin/identity-links/preview': 'admin',
  'GET /api/admin/identity-links/suggestions': 'admin',
  'GET /api/auth/administrators': 'session',
  'GET /api/auth/sessions': 'session',
  'GET /api/explain': 'member',
  'GET /api/jobs': 'admin',
  'GET /api/openapi.json': 'anyone',
  'GET /api/settings/team/preview': 'admin',
  'GET /api/settings/setup': 'member',
  'GET /api/codehost/merge-queue': 'feature:mergeQueue',
  'GET /api/codehost/merge-queue/entries': 'feature:mergeQueue',
  'GET /api/codehost/merge-queue/batches': 'feature:mergeQueue',
  'GET /api/exposure/actions': 'feature:exposure',
  'GET /api/exposure/actions/history': 'feature:exposure',
  'GET /api/exposure/search': 'feature:exposure',
  'POST /api/exposure/draft': 'feature:exposure',
  'POST /api/exposure/logs': 'feature:exposure',
  'GET /api/ai-authorship/summary': 'feature:aiAuthorship',
  'GET /api/ai-authorship/trend': 'feature:aiAuthorship',
  'GET /api/ai-authorship/comparison': 'feature:aiAuthorship',
  'GET /api/ai-authorship/by-repository': 'feature:aiAuthorship',
  'GET /api/ai-authorship/cost': 'feature:aiAuthorship',
  'GET /api/ai-authorship/agents': 'feature:aiAuthorship',
  'GET /api/advisor/recommendations': 'feature:ciAdvisor',
  'GET /api/advisor/recommendation': 'feature:ciAdvisor',
  'GET /api/advisor/patch': 'feature:ciAdvisor',
  'GET /api/advisor/plan': 'feature:ciAdvisor',
  'GET /api/advisor/results': 'feature:ciAdvisor',
  'GET /api/advisor/verdict': 'feature:ciAdvisor',
  'POST /api/advisor/dismissals': 'feature:ciAdvisor',
  'DELETE /api/advisor/dismissals': 'feature:ciAdvisor',
  'POST /api/advisor/pull-request': 'feature:ciAdvisorPullRequest',
  'GET /api/codehost/workflow-change-outcomes': 'feature:auditTrail',
  'GET /api/codehost/org-contributors': 'feature:teamInsights',
  'GET /api/codehost/org-security': 'feature:securityScan or feature:securityAlerts',
  'GET /api/codehost/repo-attention': 'member',
  'GET /api/codehost/workflow-cost': 'feature:costAnalytics',
  'GET /api/codehost/workflow-health': 'member',
  'GET /api/codehost/workflow-reliability': 'feature:reliabilityTab',
  'GET /api/db/collection': 'feature:reports',
  'GET /api/db/compare': 'feature:reports',
  'GET /api/db/sync': 'feature:dataSync',
  'GET /api/db/overview': 'feature:reports',
  'GET /api/db/pull-requests': 'feature:prLifecycle',
  'GET /api/db/deployments': 'feature:deployments',
  'GET /api/codehost/org-merge-queues': 'feature:mergeQueue',
  'GET /api/db/cost': 'feature:costAnalytics',
  'GET /api/search': 'member',
  'GET /api/views': 'member',
  'POST /api/views': 'member',
  'PATCH /api/views': 'member',
  'DELETE /api/views': 'member',
  'GET /api/db/workflows': 'feature:reports',
  'GET /api/db/workflow-durations': 'feature:reports',
  'GET /api/db/marks': 'feature:reports',
};

/** Features by group as they are granted at first, from the contract's table. */
export const grants: Record<string, string> = {
  dora: 'devops dev pm',
  prLifecycle: 'devops dev pm',
  deployments: 'devops dev pm',
  performanceTab: 'devops dev',
  reliabilityTab: 'devops dev',
  runnerUtilization: 'devops',
  teamInsights: 'devops dev pm',
  busFactor: 'devops dev pm',
  workloadRisk: '',
  workingHabits: '',
  contributorProfile: 'pm',
  issueHealth: 'devops dev pm',
  securityScan: 'devops security dev',
  securityAlerts: 'devops security',
  exposure: 'devops security',
  mergeQueue: 'devops dev pm',
  auditTrail: 'devops security',
  orgOverview: 'devops security dev pm',
  healthScorecard: 'devops pm',
  costAnalytics: 'devops pm',
  reports: 'devops dev pm',
  dataSync: 'devops',
  alerts: 'devops security dev pm',
  aiInsights: 'devops dev pm',
  aiAuthorship: '',
  ciAdvisor: 'devops security dev pm',
  ciAdvisorPullRequest: 'devops dev',
  codehostIssueFromAnomaly: 'devops dev',
};

export interface Door {
  method: string;
  path: string;
  access: string;
}

export const doors: Door[] = operations.map(({ method, path }) => {
  const access = law.find((one) => one.method === method && one.path === path)?.access;
  return { method, path, access: access ?? ofAdditions[`${method} ${path}`] ?? 'unknown' };
});

const errorCodes = [
  'unauthenticated',
  'no_groups',
  'forbidden',
  'org_not_allowed',
  'unregistered',
  'org_mode_only',
  'insufficient_scope',
  'token_read_only',
];

/** What came of it: the error by the rules of access, or that there was none. */
export function outcome({ status, body }: Answered): string {
  const code = body?.code as string | undefined;
  if (code === undefined || !errorCodes.includes(code)) return 'allowed';
  return `${status} ${code}${body.flag ? ` ${body.flag}` : ''}`;
}

export function expected(access: string, kind: Member, enforced: boolean): string {
  const groups: readonly string[] = groupsOf[kind];
  if (access === 'session') return 'allowed';
  if (groups.length === 0 && enforced) return '403 no_groups';
  if (groups.includes('admin')) return 'allowed';
  if (access === 'admin') return '403 forbidden admin';
  if (access === 'member' || !enforced) return 'allowed';
  const flags = [...access.matchAll(/feature:(\w+)/g)].map(([, flag]) => flag ?? '');
  const isGranted = flags.some((flag) => groups.some((group) => grants[flag]?.split(' ').includes(group)));
  return isGranted ? 'allowed' : `403 forbidden ${flags[0]}`;
}

export const concrete = (path: string) => path.replace(/\[\w+\]/, '9001');

export const address = ({ method, path, access }: Door) =>
  // Requested nothing in particular, what is allowed is rejected for that alone, or answered.
  method === 'GET' && access === 'member' && path === '/api/explain' ? `${path}?metric=none` : concrete(path);
