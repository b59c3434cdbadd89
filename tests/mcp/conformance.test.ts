import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tokenFeatures } from '../../server/api/tokens/fields.ts';
import { makeToken } from '../access/made-token.ts';
import { anyDatabase, type Service, startService } from '../support/service.ts';
import { revision } from './client.ts';
import { openProxy, type TokenProxy } from './listening.ts';

const program = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/conformance/dist/index.js');

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

interface Outcome {
  status: number | null;
  output: string;
}

const run = (scenario: string): Promise<Outcome> =>
  new Promise((resolve) => {
    const given = [
      'server',
      '--url',
      `${proxy.origin}/api/mcp`,
      '--scenario',
      scenario,
      '--spec-version',
      revision,
      '--verbose',
    ];
    execFile(process.execPath, [program, ...given], (error, stdout, stderr) => {
      resolve({ status: error ? Number(error.code) : 0, output: stdout + stderr });
    });
  });

/** What a scenario found, in its words. */
const findingsOf = ({ output }: Outcome): string[] =>
  [...output.matchAll(/"status": "FAILURE",\s+"errorMessage": "([^"]*)/g)].map(([, message]) => message ?? '');

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
  const outcome = await run(scenario);
  expect(findingsOf(outcome)).toEqual([]);
  expect(outcome.output).toContain('"status": "SUCCESS"');
  expect(outcome.status).toBe(0);
});

test('the conformance suite has no finding but tools of its own that a product lacks: server-stateless', async () => {
  const outcome = await run('server-stateless');
  const findings = findingsOf(outcome);
  expect(findings).toHaveLength(4);
  for (const finding of findings) expect(finding).toContain('does not list the diagnostic tool');
  expect(outcome.output.match(/"status": "SUCCESS"/g)).toHaveLength(24);
});
