import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeToken } from '../access/made-token.ts';
import { anyDatabase, type Service, startService } from '../support/service.ts';
import { revision } from './client.ts';
import { type Check, conformance, runConformance } from './conformance-program.ts';
import { fixtureCatalogue } from './fixtures/catalogue.ts';
import { openProxy, type TokenProxy } from './listening.ts';

const earlierRevision = '2025-11-25';
const expectedFailures = join(import.meta.dirname, 'fixtures/expected-failures.yaml');

let service: Service;
let proxy: TokenProxy;
beforeAll(async () => {
  proxy = await openProxy();
  service = await startService(
    {
      MCP_ALLOWED_ORIGINS: proxy.origin,
      DATABASE_URL: anyDatabase,
      RATE_LIMIT_SESSION_PER_MINUTE: '0',
      MCP_RATE_PER_MINUTE: '0',
    },
    undefined,
    { mcp: fixtureCatalogue },
  );
  const { headers } = await makeToken(service, 'token-ann', []);
  await proxy.forwardTo(service, headers.authorization);
});
afterAll(async () => {
  proxy.close();
  await service.close();
});

/** The names under `server` of a file of the conformance suite. */
const namesIn = (file: string): string[] => (load(readFileSync(file, 'utf8')) as { server: string[] }).server;

const requiredOf = (revision: string) => namesIn(join(conformance, `requirements/${revision}.yaml`));

/** Of which a check passed, and none failed or warned. */
const isPassed = (checks: Check[] = []) =>
  checks.some(({ status }) => status === 'SUCCESS') &&
  checks.every(({ status }) => status !== 'FAILURE' && status !== 'WARNING');

test('the door passes each scenario that its revision requires', async () => {
  const { status, checks } = await runConformance(proxy.origin, ['--requirements', revision]);
  const required = requiredOf(revision);
  expect(required).toHaveLength(37);
  expect(required.filter((one) => !isPassed(checks.get(one)))).toEqual([]);
  expect(status).toBe(0);
});

test('the door passes what the revision before requires, but for what needs a session', async () => {
  const given = ['--requirements', earlierRevision, '--expected-failures', expectedFailures];
  const { status, checks } = await runConformance(proxy.origin, given);
  const required = requiredOf(earlierRevision);
  const excused = namesIn(expectedFailures).map((one) => one.split(':')[0]);
  expect(required).toHaveLength(30);
  expect(required.filter((one) => !isPassed(checks.get(one))).toSorted()).toEqual(excused.toSorted());
  expect(status).toBe(0);
});

test('nothing is excused but requests to the client, subscriptions and a warning about sessions', () => {
  expect(namesIn(expectedFailures).toSorted()).toEqual([
    'elicitation-sep1034-defaults',
    'elicitation-sep1330-enums',
    'resources-subscribe',
    'resources-unsubscribe',
    'server-sse-multiple-streams:server-sse-multiple-streams-session',
    'tools-call-elicitation',
    'tools-call-sampling',
  ]);
});
