import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FeatureKey, featureKeys } from '../../server/access/features.ts';
import { tokenFeatures } from '../../server/api/tokens/fields.ts';
import { tools } from '../../server/mcp/tools/all.ts';
import { makeToken } from '../access/made-token.ts';
import { groupsOf, type Member, settle } from '../access/personas.ts';
import { anyDatabase, type Service, startService } from '../support/service.ts';
import { calls } from './calls.ts';
import { connectClient } from './client.ts';
import { callTool, type Replied } from './messages.ts';

/** What each tool needs one of, by the contract; none: whoever is in a group. */
const needs: Record<string, FeatureKey[]> = {
  delivery_metrics: ['dora', 'deployments'],
  why_is_ci_slow: ['performanceTab'],
  flaky_and_reliability: ['reliabilityTab'],
  ci_cost: ['costAnalytics'],
  open_pull_requests: ['prLifecycle'],
  issue_health: ['issueHealth'],
  security_findings: ['securityAlerts', 'securityScan'],
  organization: ['orgOverview', 'healthScorecard'],
  trends: ['reports'],
  compare_periods: ['reports'],
  alerts: ['alerts'],
  contributor: ['contributorProfile'],
};

/** What a call needs that is not what its tool does. */
function neededBy(name: string, input: Record<string, unknown>): FeatureKey[] {
  if (name === 'organization') return [input.view === 'health' ? 'healthScorecard' : 'orgOverview'];
  if (name === 'inspect_run' && input.run_id === undefined) return ['reports'];
  if (name === 'explain_number') return [featureOf(String(input.metric))];
  return needs[name] ?? [];
}

function featureOf(metric: string): FeatureKey {
  if (metric === 'failure_rate') return 'reports';
  if (metric === 'total_deployments') return 'deployments';
  return metric === 'critical_path_time' ? 'performanceTab' : 'dora';
}

function outcomeOf({ status, body }: Replied): string {
  if (status !== 200) return `${status} ${body.code} ${body.flag ?? ''}`.trim();
  if (body.error) return `error ${body.error.code}`;
  if (!body.result.isError) return 'answered';
  const { code, flag } = JSON.parse(body.result.content[1].text);
  return code === 'forbidden' ? `isError forbidden ${flag}` : 'answered';
}

function expected(needed: FeatureKey[], account: readonly string[], token: readonly string[]): string {
  const [first] = needed;
  if (first === undefined || needed.some((one) => account.includes(one) && token.includes(one))) return 'answered';
  const owned = needed.find((one) => account.includes(one));
  return owned ? `403 insufficient_scope ${owned}` : `isError forbidden ${first}`;
}

describe.each(['on', 'off'] as const)('in organization mode, enforcement %s', (ACCESS_ENFORCEMENT) => {
  let service: Service;
  let tokens: Record<Member, string>;
  beforeAll(async () => {
    const env = { MODE: 'organization', RATE_LIMIT_SESSION_PER_MINUTE: '0', MCP_RATE_PER_MINUTE: '0' };
    service = await startService({ ...env, ACCESS_ENFORCEMENT });
    tokens = await settle(service);
  });
  afterAll(() => service.close());

  const members = (Object.keys(groupsOf) as Member[]).filter((kind) => kind !== 'in no group');

  test.each(members)('tools of somebody %s, with all features, one and none', async (kind) => {
    const { body: me } = await service.ask('GET', '/api/auth/me', { as: tokens[kind] });
    const account: FeatureKey[] = me.features;
    const offered: FeatureKey[] = tokenFeatures.filter((key) => account.includes(key));
    for (const features of [offered, offered.slice(0, 1), []]) {
      const { headers } = await makeToken(service, tokens[kind], features);
      const client = await connectClient(service, headers);
      const listed = (await client.listTools()).tools.map(({ name }) => name);
      const usable = tools
        .map(({ name }) => name)
        .filter((name) => !needs[name] || needs[name].some((key) => features.includes(key)));
      expect(listed).toEqual(usable);
      for (const [name, input] of calls) {
        const outcome = outcomeOf(await callTool(service, headers, name, input));
        expect([name, input, outcome]).toEqual([name, input, expected(neededBy(name, input), account, features)]);
      }
    }
  });

  test('somebody in no group is told so', async () => {
    const made = await makeToken(service, tokens['in no group'], []);
    const { status, body } = await callTool(service, made.headers, 'whoami', {});
    expect([status, body.code]).toEqual(ACCESS_ENFORCEMENT === 'on' ? [403, 'no_groups'] : [200, undefined]);
  });
});

describe('in standalone mode', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({
      DATABASE_URL: anyDatabase,
      RATE_LIMIT_SESSION_PER_MINUTE: '0',
      MCP_RATE_PER_MINUTE: '0',
    });
  });
  afterAll(() => service.close());

  test('the features of the token alone decide', async () => {
    const { headers } = await makeToken(service, 'token-ann', ['issueHealth']);
    for (const [name, input] of calls)
      expect([name, outcomeOf(await callTool(service, headers, name, input))]).toEqual([
        name,
        expected(neededBy(name, input), featureKeys, ['issueHealth']),
      ]);
  });

  test('a private repository of others is in no list, and is not there', async () => {
    const ann = await makeToken(service, 'token-ann', tokenFeatures);
    const bo = await makeToken(service, 'token-bo', tokenFeatures);
    // What ann has read is stored, and in the memory of the process.
    for (const [name, input] of calls) await callTool(service, ann.headers, name, { ...input, ...repoIn(input) });
    for (const [name, input] of calls) {
      const { text, body } = await callTool(service, bo.headers, name, { ...input, ...repoIn(input) });
      if ('repo' in input) expect([name, JSON.parse(body.result.content[1].text).code]).toEqual([name, 'not_found']);
      else expect([name, text.includes('"secret"')]).toEqual([name, false]);
    }
  });
});

/** The same question about a repository that bo does not see. */
const repoIn = (input: object) => ('repo' in input ? { repo: 'secret' } : {});
