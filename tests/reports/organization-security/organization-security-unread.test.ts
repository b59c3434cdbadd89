import { beforeEach, describe, expect, test } from 'vitest';
import { settle } from '../../access/personas.ts';
import { expectProblem, freshService } from '../../api/endpoints.ts';
import { type SourceError, sourceErrors as words } from '../../codehost-double/security.ts';
import { startService } from '../../support/service.ts';
import { buildFleet, dropManagers, recount } from './security-world.ts';

const visit = freshService();

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely.
type Answer = any;

const path = (query: string) => `/api/codehost/org-security?${query}`;
const read = async (query: string): Promise<Answer> => {
  const { status, body } = await visit.service.ask('GET', path(query), { as: 'token-ann' });
  expect([query, status]).toEqual([query, 200]);
  return body;
};
const now = () => visit.service.clock.now();
const minute = 60_000;
const find = ({ repos }: Answer, wanted: string): Answer => repos.find(({ repo }: Answer) => repo === wanted);
/** What was asked of the platform since the last look. */
function takeSent() {
  const sent = visit.service.double.requests.filter(({ path: one }) => one !== '/user');
  visit.service.double.requests.length = 0;
  return sent;
}

describe('a source whose list of the organization is refused', () => {
  beforeEach(() => {
    buildFleet(visit.service.double);
    dropManagers(visit.service.double);
  });

  test('is read of the repositories of the page, with the same numbers', async () => {
    const body = await read('org=many');
    const world = recount(visit.service.double, 'many', 'token-ann', now());
    expect(body.listing).toEqual({
      dependabot: 'repositories',
      code_scanning: 'repositories',
      secret_scanning: 'repositories',
    });
    expect(body.summary).toMatchObject({ open: world.counts, affected_repos: world.affected, at_least: false });
    for (const { sources } of body.repos) expect(sources.dependabot.status).toBe('ok');
  });

  test('is the only one that is asked where no other is wanted, and no other is missing then', async () => {
    const all = await read('org=many&rule=dependabot');
    takeSent();
    visit.service.clock.advance(10 * minute);
    const { summary, repos, listing, partial, denied_features } = await read('org=many&source=dependabot');
    const lists = takeSent().filter(({ operation }) => operation?.includes('list-alerts'));
    expect(new Set(lists.map(({ operation }) => operation))).toEqual(
      new Set(['dependabot/list-alerts-for-org', 'dependabot/list-alerts-for-repo']),
    );
    expect(summary).toMatchObject({ open: all.summary.open, at_least: false, unreadable_sources: 0, findings: null });
    expect([partial, denied_features]).toEqual([false, []]);
    expect(listing).toEqual({
      dependabot: 'repositories',
      code_scanning: 'not_requested',
      secret_scanning: 'not_requested',
    });
    for (const { sources, workflows } of repos)
      expect([sources.dependabot.status, sources.code_scanning, workflows]).toEqual([
        'ok',
        { status: 'not_requested', message: null, open_count: null, truncated: false },
        null,
      ]);
  });

  const states: ['dependabot' | 'code_scanning' | 'secret_scanning', SourceError, string][] = [
    ['dependabot', words.dependabotOff, 'not_enabled'],
    ['dependabot', words.dependabotRefused, 'forbidden'],
    ['dependabot', words.notFound, 'not_enabled'],
    ['code_scanning', words.nothingAnalysed, 'not_enabled'],
    ['code_scanning', words.codeScanningRefused, 'forbidden'],
    ['code_scanning', words.unavailable, 'error'],
    ['secret_scanning', words.secretScanningOff, 'not_enabled'],
    ['secret_scanning', words.fineGrained, 'forbidden'],
  ];

  test.each(states)('%s answers as for the repository alone: %o is %s', async (source, error, expected) => {
    visit.service.double.rejectAlerts('many/fleet-04', source, error);
    const body = await read('org=many');
    const row = find(body, 'fleet-04');
    const alone = await visit.service.ask('GET', '/api/codehost/security-alerts?owner=many&repo=fleet-04', {
      as: 'token-ann',
    });
    const { status, message } = alone.body.sources[source];
    expect(row.sources[source]).toEqual({ status, message, open_count: null, truncated: false });
    expect(status).toBe(expected);
    const isUnreadable = expected !== 'not_enabled';
    expect([row.partial, body.needs_scope, body.summary.at_least]).toEqual([
      isUnreadable,
      expected === 'forbidden',
      isUnreadable,
    ]);
    expect([body.summary.unreadable_sources, body.summary.not_enabled_sources]).toEqual(isUnreadable ? [1, 0] : [0, 1]);
    const chosen = await read(`org=many&state=${isUnreadable ? 'unreadable' : 'not_enabled'}`);
    expect(chosen.repos.map(({ repo }: Answer) => repo)).toEqual(['fleet-04']);
  });

  test('leaves no numbers of a repository of which nothing could be read', async () => {
    for (const source of ['dependabot', 'code_scanning', 'secret_scanning'] as const)
      visit.service.double.rejectAlerts('many/fleet-04', source, words.fineGrained);
    const body = await read('org=many');
    expect(find(body, 'fleet-04')).toMatchObject({
      open: null,
      open_count: null,
      oldest_open_days: null,
      partial: true,
    });
    expect(body.summary).toMatchObject({ known_repos: 15, unreadable_sources: 3, unreadable_repos: 1 });
  });

  test('is read of sixty lists in one answer, and of the rest in the next', async () => {
    for (let number = 17; number <= 25; number++)
      visit.service.double.addRepository({ name: `many/fleet-${number}`, facts: { id: 50_000 + number } });
    takeSent();
    const first = await read('org=many&limit=50');
    const ofRepositories = takeSent().filter(({ operation }) => operation?.endsWith('list-alerts-for-repo'));
    expect(ofRepositories).toHaveLength(60);
    expect(first.summary).toMatchObject({ unreadable_sources: 15, at_least: true });
    expect(first.partial).toBe(true);
    const next = await read('org=many&limit=50');
    expect(takeSent().filter(({ operation }) => operation?.endsWith('list-alerts-for-repo'))).toHaveLength(15);
    expect(next.summary).toMatchObject({ unreadable_sources: 0, at_least: false });
  });
});

describe('what the list of the organization does not tell', () => {
  test('is not taken for a source that is on and clean', async () => {
    visit.service.double.rejectAlerts('octo/api', 'code_scanning', words.codeScanningOff);
    const { sources, open_count } = find(await read('org=octo'), 'api');
    expect(sources.code_scanning).toMatchObject({ status: 'none_listed', open_count: null });
    expect(sources.code_scanning.message).toContain('does not tell whether the source is on');
    expect(open_count).toBeNull();
  });

  test('beyond its first thousand alerts makes every row incomplete', async () => {
    visit.service.double.addAlerts('octo/api', 'dependabot', 1001, now());
    const { summary, repos, partial } = await read('org=octo');
    expect([summary.at_least, partial]).toEqual([true, true]);
    for (const row of repos) expect([row.repo, row.partial]).toEqual([row.repo, true]);
  });

  test('in an outage is unknown, and no single repository is asked instead', async () => {
    visit.service.double.fault({ path: '/orgs/octo/code-scanning/*', times: 9 }, { kind: 'status', status: 503 });
    takeSent();
    const { summary, repos, listing } = await read('org=octo');
    expect(takeSent().filter(({ operation }) => operation?.endsWith('list-alerts-for-repo'))).toEqual([]);
    expect(listing).toMatchObject({ dependabot: 'organization', code_scanning: 'error' });
    expect([summary.at_least, summary.unreadable_sources]).toEqual([true, repos.length]);
  });

  test('for a reached limit refuses the whole', async () => {
    await visit.service.signIn('token-ann');
    visit.service.double.fault({ path: '/orgs/octo/dependabot/*' }, { kind: 'primary_limit' });
    const answer = await visit.service.ask('GET', path('org=octo'), { as: 'token-ann' });
    expectProblem(answer, 429, 'upstream_rate_limited');
  });
});

describe('workflow files', () => {
  const explainFindings = async (): Promise<Answer> => {
    const asked = '/api/explain?metric=org_severe_workflow_findings&org=octo';
    const { status, body } = await visit.service.ask('GET', asked, { as: 'token-ann' });
    expect(status).toBe(200);
    return body;
  };

  test('that the platform does not give are unknown, and the alerts stand', async () => {
    visit.service.double.fault({ path: '/graphql', times: 99 }, { kind: 'status', status: 502 });
    const { summary, repos } = await read('org=octo');
    expect(summary.open_count).toBeGreaterThan(0);
    for (const { workflows, partial } of repos)
      expect([workflows.status, workflows.findings, partial]).toEqual(['error', null, true]);
    expect(summary.unreadable_repos).toBe(repos.length);
    expect(summary).toMatchObject({
      findings: null,
      severe_findings: null,
      scanned_repos: 0,
      findings_at_least: false,
    });
    expect(await explainFindings()).toMatchObject({ value: null, partial: true });
  });

  test('that were all scanned, or do not exist, leave nothing open', async () => {
    const { summary, read_repos } = await read('org=octo');
    expect(summary).toMatchObject({ scanned_repos: read_repos, findings_at_least: false });
    const { value, partial } = await explainFindings();
    expect([value, partial]).toEqual([summary.severe_findings, false]);
  });

  test('of which none could be scanned are unreadable, not clean', async () => {
    visit.service.double.putWorkflowFile('octo/api', '.github/workflows/ci.yml', { isTruncated: true });
    const body = await read('org=octo');
    const row = find(body, 'api');
    expect(body.summary).toMatchObject({ scanned_repos: body.read_repos - 1, findings_at_least: true });
    expect(body.summary.severe_findings).toBeTypeOf('number');
    expect(await explainFindings()).toMatchObject({ value: body.summary.severe_findings, partial: true });
    expect(row.workflows).toMatchObject({ status: 'unreadable', files_found: 1, files_scanned: 0, findings: null });
  });
});

describe('how much is requested', () => {
  const costs = () => {
    const sent = takeSent();
    const graphql = sent.filter((one) => one.graphql !== null);
    return {
      rest: sent.length - graphql.length,
      graphql: graphql.length,
      quota: sent.filter((one) => one.graphql === null).reduce((sum, { cost }) => sum + cost, 0),
    };
  };

  beforeEach(async () => {
    buildFleet(visit.service.double);
    await visit.service.signIn('token-ann');
    takeSent();
  });

  /** | org-security | cold 1 + 3 + ⌈R/10⌉ | steady ⌈R/10⌉ GraphQL, the rest 304 | 5 min |; R repositories on the page. */
  test('by the lists of the organization: six requests for sixteen repositories, none at once after', async () => {
    await read('org=many');
    expect(costs()).toEqual({ rest: 1 + 3, graphql: 2, quota: 4 });
    await read(`org=many&severity=critical&limit=50`);
    expect(costs()).toEqual({ rest: 0, graphql: 0, quota: 0 });
    visit.service.clock.advance(6 * minute);
    await read('org=many');
    expect(costs()).toEqual({ rest: 1 + 3, graphql: 2, quota: 0 });
  });

  /** Where they are refused: one more list for each source of each repository of the page, sixty at most. */
  test('by lists of single repositories: three more for each, conditional later', async () => {
    dropManagers(visit.service.double);
    await read('org=many');
    expect(costs()).toEqual({ rest: 1 + 3 + 3 * 16, graphql: 2, quota: 1 + 3 + 3 * 16 });
    await read('org=many');
    expect(costs()).toEqual({ rest: 0, graphql: 0, quota: 0 });
    visit.service.clock.advance(6 * minute);
    await read('org=many');
    // A refusal has no validator, so that the three lists of the organization cost again.
    expect(costs()).toEqual({ rest: 1 + 3 + 3 * 16, graphql: 2, quota: 3 });
  });
});

test('who has one of the features is shown its part, and why not the other', async () => {
  const service = await startService({
    MODE: 'organization',
    SERVICE_ALLOWED_ORGS: 'octo',
    RATE_LIMIT_SESSION_PER_MINUTE: '0',
  });
  const tokens = await settle(service);
  const ask = (kind: keyof typeof tokens, query = 'org=octo') => service.ask('GET', path(query), { as: tokens[kind] });
  const { body: dev } = await ask('in dev');
  expect(dev.denied_features).toEqual(['securityAlerts']);
  expect([dev.listing, dev.summary.open, dev.summary.severe_count, dev.summary.at_least]).toEqual([
    null,
    null,
    null,
    false,
  ]);
  for (const row of dev.repos)
    expect([row.open, row.sources, row.workflows?.status]).toEqual([null, null, expect.any(String)]);
  expect(service.double.requests.filter(({ path: one }) => /\/alerts$/.test(one))).toEqual([]);
  const both = await ask('in security');
  const { body: alertsOnly } = await (async () => {
    const admin = await service.signIn(tokens['in admin']);
    await service.ask('PUT', '/api/admin/permissions', {
      headers: { cookie: admin },
      body: { group: 'security', flag: 'securityScan', granted: false },
    });
    return ask('in security');
  })();
  expect(both.body.denied_features).toEqual([]);
  expect(alertsOnly.denied_features).toEqual(['securityScan']);
  expect([alertsOnly.summary.findings, alertsOnly.online_rules]).toEqual([null, null]);
  for (const row of alertsOnly.repos) expect([row.workflows, row.sources === null]).toEqual([null, false]);
  const refused = await ask('in pm');
  expect([refused.status, refused.body.code, refused.body.flag]).toEqual([403, 'forbidden', 'securityScan']);
  await service.close();
});
