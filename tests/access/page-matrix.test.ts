import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createContext } from '../../server/http/context.ts';
import { decidePage, findPageAccess, offeredPages, pagePaths } from '../../server/http/page-access.ts';
import { Problem } from '../../server/platform/problem.ts';
import { type Service, startService } from '../support/service.ts';
import { cookieOfStranger, groupsOf, type Member, settle } from './personas.ts';

/** Who may open a page, as the contract has it: a group's features at first, or a kind of caller. */
const law: Record<string, string> = {
  '': 'member',
  repositories: 'member',
  'repos/:owner/:repo': 'member',
  'repos/:owner/:repo/pull-requests': 'prLifecycle: devops dev pm',
  'repos/:owner/:repo/merge-queue': 'mergeQueue: devops dev pm',
  'repos/:owner/:repo/merge-queue/entries': 'mergeQueue: devops dev pm',
  'repos/:owner/:repo/merge-queue/batches': 'mergeQueue: devops dev pm',
  'repos/:owner/:repo/workflows': 'member',
  'repos/:owner/:repo/workflows/:workflowId': 'member',
  'repos/:owner/:repo/deployments': 'deployments: devops dev pm',
  'repos/:owner/:repo/team': 'teamInsights: devops dev pm',
  'repos/:owner/:repo/issues': 'issueHealth: devops dev pm',
  'repos/:owner/:repo/issues/new': 'codehostIssueFromAnomaly: devops dev',
  'repos/:owner/:repo/security': 'securityScan: devops security dev',
  'repos/:owner/:repo/changes': 'auditTrail: devops security',
  'repos/:owner/:repo/advisor': 'ciAdvisor: devops security dev pm',
  'repos/:owner/:repo/advisor/pull-request': 'ciAdvisor: devops security dev pm',
  'repos/:owner/:repo/advisor/:id': 'ciAdvisor: devops security dev pm',
  team: 'teamInsights: devops dev pm',
  'contributor/:login': 'contributorProfile: pm',
  'contributor/:login/brief': 'contributorProfile: pm',
  'org/:org': 'orgOverview: devops security dev pm',
  'org/:org/health': 'healthScorecard: devops pm',
  'org/:org/advisor': 'ciAdvisor: devops security dev pm',
  'org/:org/actions': 'exposure: devops security',
  'org/:org/exposure': 'exposure: devops security',
  'org/:org/ai-authorship': 'aiAuthorship: ',
  'org/:org/merge-queues': 'mergeQueue: devops dev pm',
  security: 'securityScan: devops security dev',
  'pull-requests': 'prLifecycle: devops dev pm',
  deployments: 'deployments: devops dev pm',
  ci: 'reports: devops dev pm',
  cost: 'costAnalytics: devops pm',
  reports: 'reports: devops dev pm',
  alerts: 'alerts: devops security dev pm',
  'working-habits': 'member',
  search: 'member',
  views: 'member',
  explain: 'member',
  settings: 'member',
  'settings/session': 'session',
  'settings/tokens': 'member',
  'settings/shares': 'member',
  'settings/sharing': 'admin',
  'settings/advisor': 'admin',
  'settings/ai-authorship': 'admin',
  'settings/team': 'admin',
  'settings/working-habits': 'admin',
  'settings/ai': 'admin',
  'settings/email': 'admin',
  'settings/telemetry': 'admin',
  'settings/webhooks': 'admin',
  'settings/jobs': 'admin',
  'admin/users': 'organization admin',
  'admin/sessions': 'organization admin',
  'admin/tokens': 'organization admin',
  'admin/permissions': 'organization admin',
  'admin/audit': 'organization admin',
  'admin/identity-links': 'organization admin',
  login: 'anyone',
  setup: 'anyone',
  'no-access': 'session',
  'sign-out': 'anyone',
  theme: 'anyone',
  's/:token': 'anyone',
  docs: 'anyone',
  'docs/api': 'anyone',
  'docs/metrics': 'anyone',
  'docs/metrics/:metric': 'anyone',
  'docs/open/:page': 'anyone',
  'docs/:section': 'anyone',
  'repos/:owner/:repo/audit': 'anyone',
  'cost-analytics': 'anyone',
  '*': 'anyone',
};

const guarded = Object.keys(law).filter((path) => law[path] !== 'anyone');

function expected(path: string, kind: Member, enforced: boolean): string {
  const rule = law[path] ?? '';
  const groups: readonly string[] = groupsOf[kind];
  if (rule === 'anyone' || rule === 'session') return 'opens';
  if (groups.length === 0 && enforced) return '403 no_groups';
  if (groups.includes('admin')) return 'opens';
  if (rule.endsWith('admin')) return '403 forbidden admin';
  if (rule === 'member' || !enforced) return 'opens';
  const [flag, granted = ''] = rule.split(': ');
  return groups.some((group) => granted.split(' ').includes(group)) ? 'opens' : `403 forbidden ${flag}`;
}

const addressOf = (path: string) =>
  `http://localhost:3000/${path.replace(/:(\w+)/g, (_, name) => (name === 'workflowId' ? '7001' : `a-${name}`))}`;

const contextOf = ({ app }: Service, path: string, cookie: string) =>
  createContext(app.services, {
    method: 'GET',
    url: new URL(addressOf(path)),
    headers: new Headers({ cookie }),
    address: '127.0.0.1',
    signal: new AbortController().signal,
  });

async function outcome(service: Service, path: string, cookie: string): Promise<string> {
  try {
    await decidePage(contextOf(service, path, cookie), path);
    return 'opens';
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return `${error.status} ${error.code}${error.flag ? ` ${error.flag}` : ''}`;
  }
}

test('the law knows every page there is', () => {
  expect([...pagePaths].sort()).toEqual(Object.keys(law).sort());
  expect(findPageAccess('demo/team')?.map(({ name }) => name)).toEqual(['anyone']);
  expect([findPageAccess('demonstration'), findPageAccess('docsx'), findPageAccess('constructor')]).toEqual([
    null,
    null,
    null,
  ]);
});

describe.each([
  ['on', true],
  ['off', false],
] as const)('in organization mode, enforcement %s', (ACCESS_ENFORCEMENT, enforced) => {
  let service: Service;
  let tokens: Record<Member, string>;
  beforeAll(async () => {
    const env = { MODE: 'organization', SERVICE_ALLOWED_ORGS: 'octo', RATE_LIMIT_SESSION_PER_MINUTE: '0' };
    service = await startService({ ...env, ACCESS_ENFORCEMENT });
    tokens = await settle(service);
  });
  afterAll(() => service.close());

  test.each(Object.keys(groupsOf) as Member[])(
    'somebody %s opens what the law opens, and is offered just that',
    async (kind) => {
      const cookie = await service.signIn(tokens[kind]);
      const opened: Record<string, string> = {};
      for (const path of Object.keys(law)) opened[path] = await outcome(service, path, cookie);
      expect(opened).toEqual(
        Object.fromEntries(Object.keys(law).map((path) => [path, expected(path, kind, enforced)])),
      );
      const context = contextOf(service, '', cookie);
      const offered = offeredPages(context, await context.actor());
      expect([...offered].sort()).toEqual(
        Object.keys(opened)
          .filter((path) => opened[path] === 'opens')
          .sort(),
      );
    },
  );

  test('a visitor, an ended session and a stranger open what is open to everybody', async () => {
    for (const path of guarded) {
      expect([path, await outcome(service, path, '')]).toEqual([path, '401 unauthenticated']);
      const cookie = await cookieOfStranger(service);
      expect([path, await outcome(service, path, cookie)]).toEqual([path, '403 org_not_allowed']);
      expect([path, await outcome(service, path, cookie)]).toEqual([path, '401 unauthenticated']);
    }
    const open = Object.keys(law).filter((path) => !guarded.includes(path));
    for (const path of open) expect([path, await outcome(service, path, '')]).toEqual([path, 'opens']);
    // Nothing leads to what is shared but the address that somebody gave away.
    const linked = open.filter((path) => path !== 's/:token');
    expect([...offeredPages(contextOf(service, '', ''), null)].sort()).toEqual(linked.sort());
  });
});

describe('in standalone mode', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({});
  });
  afterAll(() => service.close());

  test('whoever is signed in opens everything but the administration of an organization', async () => {
    const cookie = await service.signIn('token-ann');
    for (const path of Object.keys(law)) {
      const wanted = law[path] === 'organization admin' ? '403 org_mode_only' : 'opens';
      expect([path, await outcome(service, path, cookie)]).toEqual([path, wanted]);
      if (guarded.includes(path))
        expect([path, await outcome(service, path, '')]).toEqual([path, '401 unauthenticated']);
    }
  });
});
