import { afterAll, beforeAll, expect, test } from 'vitest';
import { tokenFeatures } from '../../server/api/tokens/fields.ts';
import { makeToken } from '../access/made-token.ts';
import { anyDatabase, type Service, startService } from '../support/service.ts';
import { revision } from './client.ts';
import { type Check, runConformance } from './conformance-program.ts';
import { openProxy, type TokenProxy } from './listening.ts';

let service: Service;
let proxy: TokenProxy;
beforeAll(async () => {
  proxy = await openProxy();
  service = await startService({
    MCP_ALLOWED_ORIGINS: proxy.origin,
    DATABASE_URL: anyDatabase,
    RATE_LIMIT_SESSION_PER_MINUTE: '0',
    MCP_RATE_PER_MINUTE: '0',
  });
  const { headers } = await makeToken(service, 'token-ann', tokenFeatures);
  await proxy.forwardTo(service, headers.authorization);
});
afterAll(async () => {
  proxy.close();
  await service.close();
});

const run = async (scenario: string) => {
  const { status, checks } = await runConformance(proxy.origin, ['--scenario', scenario, '--spec-version', revision]);
  return { status, checks: checks.get(scenario) ?? [] };
};

const findingsOf = (checks: Check[]) => checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');

test.each([
  'tools-list',
  'resources-list',
  'prompts-list',
  'caching',
  'sep-2164-resource-not-found',
  'server-sse-multiple-streams',
  'dns-rebinding-protection',
  'http-header-validation',
])('the conformance suite has no finding: %s', async (scenario) => {
  const { status, checks } = await run(scenario);
  expect(findingsOf(checks)).toEqual([]);
  expect(checks.some((one) => one.status === 'SUCCESS')).toBe(true);
  expect(status).toBe(0);
});

test('the conformance suite has no finding but tools of its own that a product lacks: server-stateless', async () => {
  const { checks } = await run('server-stateless');
  const findings = findingsOf(checks);
  expect(findings).toHaveLength(4);
  for (const { errorMessage } of findings) expect(errorMessage).toContain('does not list the diagnostic tool');
  expect(checks.filter(({ status }) => status === 'SUCCESS')).toHaveLength(24);
});
