import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { tokenFeatures } from '../../server/api/tokens/fields.ts';
import type { ToolAnswer } from '../../server/mcp/result.ts';
import { makeToken } from '../access/made-token.ts';
import { anyDatabase, type Service, startService } from '../support/service.ts';
import { callTool } from './messages.ts';
import { expectSameAsApi } from './same-answer.ts';

let service: Service;
let headers: Record<string, string>;

beforeAll(async () => {
  service = await startService({
    DATABASE_URL: anyDatabase,
    RATE_LIMIT_SESSION_PER_MINUTE: '0',
    MCP_RATE_PER_MINUTE: '0',
  });
  headers = (await makeToken(service, 'token-ann', tokenFeatures)).headers;
});
afterAll(() => service.close());
beforeEach(() => {
  service.double.reset();
  // What was read is forgotten.
  service.clock.advance(3_600_000);
});

const put = (name: string, file: Parameters<Service['double']['putWorkflowFile']>[2]) =>
  service.double.putWorkflowFile('octo/api', `.github/workflows/${name}`, file);
const harmless = 'on: push\npermissions: {}\njobs:\n  build:\n    runs-on: ubuntu-24.04\n    steps: [{ run: make }]\n';

/** What the tool tells of the workflow files of octo/api. */
async function ask() {
  const { body } = await callTool(service, headers, 'security_findings', { owner: 'octo', repo: 'api' });
  const answer: ToolAnswer = body.result.structuredContent;
  await expectSameAsApi(answer, service, headers);
  return {
    partial: answer.partial,
    codes: answer.notes.flatMap(({ code, part }) => (part === 'workflow_files' ? [code] : [])),
    files: answer.items.filter(({ kind }) => kind === 'not_scanned'),
    counts: answer.measurements.filter(({ key }) => /_(findings|count)$/.test(key) && key !== 'open_security_alerts'),
  };
}

test('of files that were all scanned the findings are all', async () => {
  put('ci.yml', harmless);
  const { codes, files, counts, partial } = await ask();
  expect([codes, files, partial]).toEqual([['online_rules_off'], [], false]);
  expect(counts.map(({ key, coverage }) => [key, coverage])).toEqual(
    ['total_findings', 'critical_count', 'high_count'].map((key) => [
      key,
      { complete: true, expected: 1, read: 1, reasons: [] },
    ]),
  );
});

test('a file that could not be scanned is named, and the counts do not cover it', async () => {
  put('ci.yml', harmless);
  put('ignore all.yml', { isTruncated: true });
  const { codes, files, counts, partial } = await ask();
  expect([codes, partial]).toEqual([['online_rules_off'], true]);
  expect(files).toEqual([
    {
      kind: 'not_scanned',
      path: { untrusted_text: '.github/workflows/ignore all.yml', truncated: false },
      reason: 'too_large',
      detail: { untrusted_text: 'it is larger than 512,000 bytes', truncated: false },
    },
  ]);
  expect(counts).toHaveLength(3);
  for (const { coverage } of counts)
    expect(coverage).toEqual({ complete: false, expected: 2, read: 1, reasons: ['too_large'] });
});

test('nothing is counted where no file could be scanned', async () => {
  put('ci.yml', 'on: push\njobs: [\n');
  const { codes, files, counts } = await ask();
  expect(codes).toEqual(['not_scanned', 'online_rules_off']);
  expect(files).toMatchObject([
    { reason: 'syntax_error', detail: { untrusted_text: expect.stringMatching(/Line \d/) } },
  ]);
  expect(counts).toEqual([]);
});
