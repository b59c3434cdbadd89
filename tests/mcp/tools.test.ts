import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tokenFeatures } from '../../server/api/tokens/fields.ts';
import { ToolAnswer } from '../../server/mcp/result.ts';
import { makeToken } from '../access/made-token.ts';
import { run } from '../store/world.ts';
import { anyDatabase, type Service, startService } from '../support/service.ts';
import { calls } from './calls.ts';
import { connectClient } from './client.ts';
import { expectSameAsApi } from './same-answer.ts';

let service: Service;
let client: Client;
let headers: Record<string, string>;

beforeAll(async () => {
  service = await startService({
    DATABASE_URL: anyDatabase,
    RATE_LIMIT_SESSION_PER_MINUTE: '0',
    MCP_RATE_PER_MINUTE: '0',
  });
  await service.ask('POST', '/api/db/sync?owner=octo&repo=web', { as: 'token-ann' });
  headers = (await makeToken(service, 'token-ann', tokenFeatures)).headers;
  client = await connectClient(service, headers);
});
afterAll(() => service.close());

async function call(name: string, input: Record<string, unknown>) {
  const result = await client.callTool({ name, arguments: input });
  const [summary, whole] = result.content as { text: string }[];
  return {
    ...result,
    summary: summary?.text ?? '',
    whole: whole?.text,
    answer: result.structuredContent as ToolAnswer,
  };
}

/** Of which the answer counts runs, and the explanation lists workflows. */
const explainedByWorkflows = new Set(['monthly_cost', 'wasted_monthly_cost']);

describe.each(calls)('%s %j', (name, input) => {
  test('answers in the shape of all tools', async () => {
    const { isError, answer, summary, whole } = await call(name, input);
    expect(isError, summary).toBeFalsy();
    expect(ToolAnswer.parse(answer)).toEqual(answer);
    expect(answer).toMatchObject({ tool: name, timezone: 'Asia/Saigon' });
    expect(summary.length).toBeLessThanOrEqual(1200);
    if (whole) expect(JSON.parse(whole)).toEqual(answer);
    else expect(JSON.stringify(answer).length).toBeGreaterThan(24 * 1024);
  });

  test('every value is the one of the API', async () => {
    const { answer } = await call(name, input);
    await expectSameAsApi(answer, service, headers);
  });

  test('every value is explained', async () => {
    const { answer } = await call(name, input);
    for (const { key, value, n, unit, better, evidence } of answer.measurements) {
      const url = new URL(evidence);
      if (url.pathname !== '/explain') continue;
      const { status, body } = await service.ask('GET', `/api/explain${url.search}`, { headers });
      expect(status, evidence).toBe(200);
      expect({ key, value: body.value, unit: body.unit, better: body.better }).toEqual({ key, value, unit, better });
      if (n !== null && !explainedByWorkflows.has(key)) expect({ key, n: body.sample }).toEqual({ key, n });
    }
  });
});

test('the page of an explanation has no names of others', async () => {
  const names = { environment: 'ours', branch: 'theirs', rule: 'somebodys' };
  const { isError, summary, answer } = await call('explain_number', {
    owner: 'octo',
    repo: 'web',
    metric: 'total_deployments',
    ...names,
  });
  expect(isError, summary).toBeFalsy();
  expect(Object.fromEntries(new URL(answer.links.page).searchParams)).toEqual({
    metric: 'total_deployments',
    owner: 'octo',
    repo: 'web',
  });
  expect(answer.items[0]).toMatchObject({ definition: { untrusted_text: expect.stringContaining('ours') } });
});

test('the hours of work of people are explained to nobody', async () => {
  const { isError, summary } = await call('explain_number', {
    owner: 'octo',
    repo: 'web',
    metric: 'outside_workday_pct',
  });
  expect([isError, summary]).toEqual([true, expect.stringContaining('metric')]);
});

describe('a list of more runs than are read at once', () => {
  const more = 1100;
  beforeAll(async () => {
    const { store } = service.app.services;
    const web = (await store?.repositories.tracked('octo'))?.find(({ repo }) => repo === 'web');
    const now = service.clock.now();
    const cancelled = { status: 'completed', conclusion: 'cancelled' } as const;
    const runs = Array.from({ length: more }, (_, index) =>
      run(5_000_000 + index, { ...cancelled, createdAt: now - index * 1000 }),
    );
    await store?.runs.ingest(web?.id ?? 0, runs, { syncedAt: now });
  });

  test('is paged through to its end, each run once', async () => {
    const found: unknown[] = [];
    let total: number | null = null;
    for (let offset: number | null = 0; offset !== null; ) {
      let cursor: string | null = null;
      let next: string | undefined;
      do {
        const input = { owner: 'octo', repo: 'web', conclusion: 'cancelled', limit: 100, offset };
        const { answer } = await call('inspect_run', { ...input, ...(cursor && { cursor }) });
        found.push(...answer.items.map(({ run_id }) => run_id));
        ({ next_cursor: cursor, total } = answer);
        next = answer.notes.find(({ code }) => code === 'more_runs')?.text;
      } while (cursor !== null);
      const [, later] = /offset (\d+)/.exec(next ?? '') ?? [];
      offset = later === undefined ? null : Number(later);
    }
    expect(found.length).toBeGreaterThanOrEqual(more);
    expect(found).toHaveLength(total ?? 0);
    expect(new Set(found).size).toBe(found.length);
  });
});
