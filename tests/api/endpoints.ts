import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { operations } from '../../server/api/registry.ts';
import { type Answered, type Service, startService } from '../support/service.ts';

const web = 'owner=octo&repo=web';

/** A good question for every operation that reads with a token: operation, then query. */
export const reads: Record<string, string> = {
  '/api/codehost/repos': '',
  '/api/codehost/org-repos': 'org=octo',
  '/api/codehost/orgs': '',
  '/api/codehost/repo-attention': 'org=octo',
  '/api/codehost/repo-summary': web,
  '/api/codehost/repo-overview': web,
  '/api/codehost/workflows': web,
  '/api/codehost/runs': `${web}&workflow_id=7001`,
  '/api/codehost/workflow-health': `${web}&workflow_id=7001`,
  '/api/codehost/workflow-reliability': `${web}&workflow_id=7001`,
  '/api/codehost/run-details': `${web}&run_id=5011`,
  '/api/codehost/job-stats': `${web}&workflow_id=7001`,
  '/api/codehost/runner-stats': web,
  '/api/codehost/contributor-profile': 'owner=octo&login=ana',
  '/api/codehost/repo-contributors': web,
  '/api/codehost/team-stats': web,
  '/api/codehost/repo-dora': web,
  '/api/codehost/deployments': web,
  '/api/codehost/security-scan': web,
  '/api/explain': `${web}&metric=lead_time`,
  '/api/codehost/open-pr-health': web,
  '/api/codehost/merge-queue': web,
  '/api/codehost/merge-queue/entries': web,
  '/api/codehost/merge-queue/batches': web,
  '/api/codehost/issues': web,
  '/api/codehost/rate-limit': '',
  '/api/codehost/security-alerts': web,
  '/api/codehost/audit-log': web,
  '/api/codehost/workflow-change-outcomes': web,
  '/api/advisor/recommendations': web,
  '/api/codehost/bus-factor': web,
  '/api/codehost/team-workload-risk': web,
  '/api/codehost/org-overview': 'org=octo',
  '/api/codehost/org-health-scorecard': 'org=octo',
  '/api/codehost/org-security': 'org=octo',
  '/api/codehost/billing': 'org=octo',
  '/api/codehost/workflow-cost': `${web}&workflow_id=7001`,
  '/api/codehost/billing/cost-analysis': 'org=octo',
};

/** The same for those that read what is stored. */
export const storedReads: Record<string, string> = {
  '/api/advisor/results': web,
  '/api/db/runs': web,
  '/api/db/trends': web,
  '/api/db/compare': 'owner=octo&metrics=success_rate,lead_time',
  '/api/db/working-habits': 'owner=octo',
  '/api/db/collection': 'owner=octo',
  '/api/db/sync': 'owner=octo',
  '/api/db/workflows': 'org=octo',
  '/api/db/workflow-durations': 'owner=octo&repo=web&workflow_id=7001',
  '/api/db/marks': 'org=octo',
  '/api/db/overview': 'org=octo',
  '/api/db/pull-requests': 'org=octo',
  '/api/db/deployments': 'org=octo',
  '/api/codehost/org-merge-queues': 'org=octo',
  '/api/db/cost': 'org=octo',
  '/api/advisor/plan': web,
  '/api/exposure/actions': 'org=octo',
  '/api/exposure/search': 'org=octo&name=some/tool',
  '/api/codehost/org-contributors': 'org=octo',
};

/** Operations that need a session, with a good question. */
export const guarded: readonly { method: string; path: string; query: string; body?: object; status?: number }[] = [
  ...[...Object.entries(reads), ...Object.entries(storedReads)].map(([path, query]) => ({
    method: 'GET',
    path,
    query,
  })),
  {
    method: 'POST',
    path: '/api/codehost/create-issue',
    query: '',
    status: 201,
    body: { owner: 'octo', repo: 'web', title: 'Slow' },
  },
  { method: 'GET', path: '/api/advisor/recommendation', query: `${web}&id=3309adfd81a96b28` },
  { method: 'GET', path: '/api/advisor/patch', query: `${web}&ids=3309adfd81a96b28`, status: 409 },
  { method: 'GET', path: '/api/advisor/verdict', query: `${web}&id=3309adfd81a96b28`, status: 404 },
  {
    method: 'POST',
    path: '/api/advisor/dismissals',
    query: '',
    body: { owner: 'octo', repo: 'web', id: '3309adfd81a96b28', reason: 'wanted' },
  },
  { method: 'DELETE', path: '/api/advisor/dismissals', query: `${web}&id=3309adfd81a96b28` },
  {
    method: 'POST',
    path: '/api/advisor/pull-request',
    query: '',
    status: 409,
    body: {
      owner: 'octo',
      repo: 'web',
      ids: ['3309adfd81a96b28'],
      base_blobs: { '.github/workflows/ci.yml': 'a'.repeat(40) },
    },
  },
  { method: 'POST', path: '/api/db/sync', query: web },
  { method: 'POST', path: '/api/exposure/draft', query: '', body: { text: 'some/tool@v1' } },
  {
    method: 'POST',
    path: '/api/exposure/logs',
    query: '',
    status: 503,
    body: { org: 'octo', name: 'some/tool' },
  },
  { method: 'GET', path: '/api/exposure/actions/history', query: 'org=octo&name=some/tool&ref=v1', status: 404 },
  { method: 'GET', path: '/api/search', query: 'q=web' },
  { method: 'GET', path: '/api/views', query: '' },
  { method: 'POST', path: '/api/views', query: '', body: { name: 'CI of octo', address: '/ci?org=octo' } },
  { method: 'PATCH', path: '/api/views', query: '', body: { id: 4711, name: 'CI' }, status: 404 },
  { method: 'DELETE', path: '/api/views', query: 'id=4711', status: 404 },
  { method: 'GET', path: '/api/settings/team', query: '' },
  { method: 'GET', path: '/api/settings/team/preview', query: 'timezone=Asia/Saigon&start=8&end=19' },
  { method: 'GET', path: '/api/settings/working-habits', query: '' },
  { method: 'GET', path: '/api/settings/ai', query: '' },
  { method: 'GET', path: '/api/ai/status', query: '' },
  { method: 'GET', path: '/api/settings/email', query: '' },
  { method: 'PUT', path: '/api/settings/email', query: '', body: { enabled: false, provider: 'resend' } },
  { method: 'POST', path: '/api/settings/email/test', query: '', body: { to: 'ann@codehost.example' }, status: 503 },
  { method: 'GET', path: '/api/settings/otlp', query: '' },
  {
    method: 'PUT',
    path: '/api/settings/otlp',
    query: '',
    body: { name: 'Collector', endpoint: 'https://8.8.8.8', enabled: false },
  },
  { method: 'DELETE', path: '/api/settings/otlp', query: 'id=4711', status: 404 },
  { method: 'POST', path: '/api/settings/otlp/test', query: '', body: { id: 4711 }, status: 404 },
  { method: 'POST', path: '/api/settings/otlp/resend', query: '', body: { id: 4711 }, status: 404 },
  { method: 'GET', path: '/api/settings/webhooks', query: '' },
  {
    method: 'PUT',
    path: '/api/settings/webhooks',
    query: '',
    body: { name: 'Bridge', url: 'https://8.8.8.8/hook', enabled: false },
  },
  { method: 'DELETE', path: '/api/settings/webhooks', query: 'id=4711', status: 404 },
  { method: 'POST', path: '/api/settings/webhooks/test', query: '', body: { id: 4711 }, status: 404 },
  { method: 'POST', path: '/api/settings/webhooks/rotate', query: '', body: { id: 4711 }, status: 404 },
  {
    method: 'POST',
    path: '/api/settings/otlp/backfills',
    query: '',
    body: { destination_id: 4711, from: '2026-09-01', to: '2026-11-01' },
    status: 404,
  },
  {
    method: 'PATCH',
    path: '/api/settings/otlp/backfills',
    query: '',
    body: { id: 4711, action: 'pause' },
    status: 404,
  },
  { method: 'GET', path: '/api/ai/insights', query: web, status: 503 },
  { method: 'GET', path: '/api/ai/anomaly-explanation', query: `${web}&workflow_id=7001&metric=duration`, status: 503 },
  { method: 'GET', path: '/api/ai/root-cause', query: `${web}&workflow_id=7001`, status: 503 },
  { method: 'GET', path: '/api/alerts', query: '' },
  {
    method: 'POST',
    path: '/api/alerts',
    query: '',
    status: 201,
    body: { scope: 'repo:octo/web', metric: 'failure_rate', threshold: 20 },
  },
  { method: 'GET', path: '/api/alerts/preview', query: 'scope=repo:octo/web&metric=failure_rate&threshold=20' },
  { method: 'PATCH', path: '/api/alerts', query: '', body: { id: 4711, enabled: false }, status: 404 },
  { method: 'DELETE', path: '/api/alerts', query: 'id=4711', status: 404 },
  { method: 'POST', path: '/api/alerts/test', query: '', body: { rule_id: 4711 }, status: 404 },
  { method: 'GET', path: '/api/jobs', query: '' },
  { method: 'GET', path: '/api/settings/setup', query: '' },
  { method: 'GET', path: '/api/auth/me', query: '' },
  { method: 'GET', path: '/api/auth/administrators', query: '' },
  { method: 'GET', path: '/api/auth/sessions', query: '' },
  { method: 'DELETE', path: '/api/auth/sessions', query: 'others=true' },
  { method: 'GET', path: '/api/tokens', query: '' },
  { method: 'POST', path: '/api/tokens', query: '', status: 201, body: { name: 'Dashboard', features: [] } },
  { method: 'DELETE', path: '/api/tokens', query: 'all=1' },
  { method: 'GET', path: '/api/settings/sharing', query: '' },
  { method: 'PUT', path: '/api/settings/sharing', query: '', body: { sharing: 'members', public_badges: false } },
  { method: 'GET', path: '/api/settings/advisor', query: '' },
  {
    method: 'PUT',
    path: '/api/settings/advisor',
    query: '',
    body: {
      enabled: true,
      repositories: ['octo/web'],
      kinds_off: ['ADV-12'],
      window_days: 90,
      pull_requests: true,
      pull_request_cost: false,
      draft_default: false,
    },
  },
  { method: 'GET', path: '/api/ai-authorship/summary', query: 'org=octo', status: 409 },
  { method: 'GET', path: '/api/ai-authorship/trend', query: 'org=octo', status: 409 },
  { method: 'GET', path: '/api/ai-authorship/comparison', query: 'org=octo', status: 409 },
  { method: 'GET', path: '/api/ai-authorship/by-repository', query: 'org=octo', status: 409 },
  { method: 'GET', path: '/api/ai-authorship/cost', query: 'org=octo', status: 409 },
  { method: 'GET', path: '/api/ai-authorship/agents', query: '', status: 409 },
  { method: 'GET', path: '/api/settings/ai-authorship', query: '' },
  {
    method: 'PUT',
    path: '/api/settings/ai-authorship',
    query: '',
    body: {
      enabled: false,
      labels: ['ai-assisted'],
      own_agents: [
        {
          agent: 'Own agent',
          kind: 'account',
          value: 'own-agent[bot]',
          effect: 'author',
          valid_from: null,
          valid_to: null,
        },
      ],
      repositories_excluded: ['octo/web'],
    },
  },
  { method: 'GET', path: '/api/shares', query: '' },
  {
    method: 'POST',
    path: '/api/shares',
    query: '',
    status: 201,
    body: { badge: { kind: 'lead-time', owner: 'octo', repo: 'web' }, expires_in_days: 30 },
  },
  { method: 'DELETE', path: '/api/shares', query: 'id=4711', status: 404 },
];

interface Administered {
  method: string;
  path: string;
  query: string;
  /** Where the path names somebody: the address itself. */
  address?: string;
  body?: object;
  status?: number;
}

const links = '/api/admin/identity-links';

/** Operations for administrators of an organization alone, with a good question; in this order all are answered. */
export const administered: readonly Administered[] = [
  { method: 'GET', path: '/api/admin/users', query: '' },
  {
    method: 'PUT',
    path: '/api/admin/users/[codehostId]/groups',
    query: '',
    address: '/api/admin/users/101/groups',
    body: { groups: ['admin'] },
  },
  {
    method: 'POST',
    path: '/api/admin/users/groups',
    query: '',
    body: { logins: ['somebody-new'], groups: ['dev'] },
  },
  { method: 'GET', path: '/api/admin/invitations', query: '' },
  { method: 'GET', path: '/api/admin/teams', query: '' },
  { method: 'GET', path: '/api/admin/team-members', query: 'team=octo' },
  { method: 'GET', path: '/api/admin/sessions', query: '' },
  { method: 'DELETE', path: '/api/admin/sessions', query: 'login=nobody', status: 404 },
  { method: 'GET', path: '/api/admin/tokens', query: '' },
  { method: 'DELETE', path: '/api/admin/tokens', query: 'id=4711', status: 404 },
  { method: 'GET', path: '/api/admin/access', query: 'login=ann' },
  { method: 'GET', path: '/api/admin/permissions', query: '' },
  { method: 'PUT', path: '/api/admin/permissions', query: '', body: { group: 'dev', flag: 'dora', granted: false } },
  { method: 'POST', path: links, query: '', body: { alias: 'ana-work', primary: 'ana' }, status: 201 },
  { method: 'GET', path: links, query: '' },
  { method: 'DELETE', path: links, query: 'alias=ana-work' },
  { method: 'POST', path: `${links}/distinct`, query: '', body: { a: 'ana', b: 'anna' }, status: 201 },
  { method: 'DELETE', path: `${links}/distinct`, query: 'a=ana&b=anna' },
  { method: 'GET', path: `${links}/preview`, query: 'alias=ana-work&primary=ana' },
  { method: 'GET', path: `${links}/suggestions`, query: web },
  { method: 'PUT', path: '/api/settings/team', query: '', body: { timezone: 'UTC', start: 9, end: 17 } },
  {
    method: 'PUT',
    path: '/api/settings/working-habits',
    query: '',
    body: { files_per_commit: 5, lines_per_commit: 100, commits_per_pr: 9 },
  },
  { method: 'PUT', path: '/api/settings/ai', query: '', body: { enabled: false, provider: 'anthropic' } },
  { method: 'GET', path: '/api/admin/audit', query: 'category=all' },
];

/** Operations without a session, with a good question. */
export const open: readonly { method: string; path: string; query: string; body?: unknown; status?: number }[] = [
  { method: 'GET', path: '/api/health', query: '' },
  { method: 'GET', path: '/api/ready', query: '' },
  { method: 'GET', path: '/api/openapi.json', query: '' },
  { method: 'GET', path: '/api/demo', query: 'resource=repos' },
  { method: 'POST', path: '/api/auth/setup', query: '', body: { pat: 'token-bo' } },
  { method: 'DELETE', path: '/api/auth/setup', query: '' },
  { method: 'POST', path: '/api/auth/logout', query: '' },
  { method: 'GET', path: '/api/auth/login', query: '', status: 302 },
  { method: 'GET', path: '/api/auth/callback', query: '', status: 302 },
];

/** Operations of machines, which no session opens. */
export const machines: readonly { method: string; path: string }[] = [
  { method: 'POST', path: '/api/webhooks/codehost' },
  { method: 'POST', path: '/api/mcp' },
  { method: 'GET', path: '/api/feeds/[feed]' },
  { method: 'GET', path: '/api/badges/[badge]' },
  ...['sync', 'sync-pr-facts', 'sync-commit-facts'].map((name) => ({ method: 'GET', path: `/api/cron/${name}` })),
];

export const named = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

export const everyOperation = operations.map(named).sort();

export const withQuery = (path: string, query: string) => (query ? `${path}?${query}` : path);

/** One service for the tests of a file; the world is brought back after each. */
export function visitService(env: Record<string, string> = {}): { service: Service } {
  const visit = { service: null as unknown as Service };
  beforeAll(async () => {
    visit.service = await startService(env);
  });
  afterEach(() => {
    expect(visit.service.double.violations).toEqual([]);
    visit.service.double.reset();
  });
  afterAll(() => visit.service.close());
  return visit;
}

/** A service of its own for each test: nothing was read or counted yet. */
export function freshService(env: Record<string, string> = {}): { service: Service } {
  const visit = { service: null as unknown as Service };
  beforeEach(async () => {
    visit.service = await startService(env);
  });
  afterEach(() => visit.service.close());
  return visit;
}

/** What every answer carries, whatever it says. */
export function expectHouseHeaders({ headers }: Pick<Answered, 'headers'>): void {
  expect(headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{8,64}$/);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('x-frame-options')).toBe('DENY');
  expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
  expect(headers.get('permissions-policy')).toBe('camera=(), microphone=(), geolocation=()');
  expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
}

/** The one shape of an error. */
export function expectProblem(answer: Answered, status: number, code: string): void {
  expect({ status: answer.status, code: answer.body?.code }).toEqual({ status, code });
  expect(answer.body.error).toMatch(/\S/);
  expect(answer.body.error).not.toMatch(/\n|\bat \S+:\d+/);
  expect(answer.body.request_id).toBe(answer.headers.get('x-request-id'));
  // Operations that say whether they did what was requested say that they did not.
  if ('ok' in answer.body) expect(answer.body.ok).toBe(false);
  const known = ['ok', 'error', 'code', 'flag', 'details', 'request_id'];
  expect(Object.keys(answer.body).filter((key) => !known.includes(key))).toEqual([]);
  expectHouseHeaders(answer);
}

/** A 400 that names these fields with these reasons. */
export function expectFields(answer: Answered, ...fields: [field: string, reason: string][]): void {
  expectProblem(answer, 400, 'invalid_request');
  const found = answer.body.details.fields as { field: string; reason: string; message: string }[];
  expect(found.map(({ field, reason }) => [field, reason])).toEqual(fields);
  for (const { message } of found) expect(message).toMatch(/\S/);
}
