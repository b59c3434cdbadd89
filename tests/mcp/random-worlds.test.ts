import type { Client } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { tokenFeatures } from '../../server/api/tokens/fields.ts';
import { between, pickOne } from '../../server/demo/random.ts';
import type { Measurement } from '../../server/mcp/measurement.ts';
import type { ToolAnswer } from '../../server/mcp/result.ts';
import { tools } from '../../server/mcp/tools/all.ts';
import { randomStream } from '../../server/metrics/kernel/random-stream.ts';
import { makeToken } from '../access/made-token.ts';
import { rounds } from '../support/rounds.ts';
import { anyDatabase, type Service, startService } from '../support/service.ts';
import { connectClient } from './client.ts';
import { type Call, callsOfRepository, otherCalls } from './random-calls.ts';
import { makeWorld } from './random-world.ts';
import { expectSameAsApi } from './same-answer.ts';

let service: Service;
let client: Client;
let headers: { authorization: string };

// Each part has a service of its own, so that what it finds does not depend on the parts before.
beforeEach(async () => {
  const env = { RATE_LIMIT_SESSION_PER_MINUTE: '0', MCP_RATE_PER_MINUTE: '0' };
  service = await startService({ DATABASE_URL: anyDatabase, ...env });
  headers = (await makeToken(service, 'token-ann', tokenFeatures, { expires_in_days: 366 })).headers;
  client = await connectClient(service, headers);
});
afterEach(() => service.close());

async function call([name, input]: Call): Promise<ToolAnswer> {
  const { isError, structuredContent, content } = await client.callTool({ name, arguments: input });
  expect([name, input, isError ? content : null]).toEqual([name, input, null]);
  return structuredContent as ToolAnswer;
}

const paged = new Set(tools.filter(({ input }) => 'cursor' in input.shape).map(({ name }) => name));
const isPaged = ([name]: Call) => paged.has(name);

/** All items of a list, by pages of so many. */
async function listed([name, input]: Call, limit: number) {
  const items: unknown[] = [];
  let total: number | null = null;
  let cursor: string | null = null;
  do {
    const page: ToolAnswer = await call([name, { ...input, limit, ...(cursor && { cursor }) }]);
    items.push(...page.items);
    ({ next_cursor: cursor, total } = page);
  } while (cursor !== null);
  return { items, total };
}

/** In parts, so that none takes too long: together at least 200 worlds and 20,000 numbers where there is time. */
const parts = Array.from({ length: rounds('MCP_WORLDS', 1, 20) }, (_, index) => index);
const worldsOfPart = rounds('MCP_WORLDS_OF_PART', 1, 10);
const numbersOfPart = rounds('MCP_NUMBERS', 100, 1000);

test.each(parts)(
  'every number of every tool is that of the API, and pages are the whole list: part %i',
  async (part) => {
    const compared: Measurement[] = [];
    const called = new Set<string>();
    for (let seed = 1000 * part + 1; seed <= 1000 * part + worldsOfPart || compared.length < numbersOfPart; seed++) {
      const random = randomStream('worlds of tools', seed);
      service.double.reset();
      const made = await makeWorld(service, random, seed);
      const calls = [...callsOfRepository(random, made), ...(seed % 10 === 1 ? otherCalls(random, made.owner) : [])];
      const listedCall = pickOne(random, calls.filter(isPaged));
      // Some answers store the jobs that they read, of which others are made.
      for (const one of calls) await call(one);
      for (const one of calls) {
        called.add(one[0]);
        const answer = await call(one);
        await expectSameAsApi(answer, service, headers);
        compared.push(...answer.measurements);
        if (one === listedCall)
          expect([one, await listed(one, between(random, 1, 30))]).toEqual([one, await listed(one, 100)]);
      }
      expect(service.double.violations).toEqual([]);
    }
    expect([...called].sort()).toEqual(tools.map(({ name }) => name).sort());
    // The worlds have all of it: numbers that are none, intervals, and answers that are incomplete.
    const share = (counts: (one: Measurement) => boolean) => compared.filter(counts).length / compared.length;
    expect(share(({ value }) => value === null)).toBeGreaterThan(0.05);
    expect(share(({ value }) => value !== null)).toBeGreaterThan(0.4);
    expect(share(({ interval }) => interval !== null)).toBeGreaterThan(0.05);
    expect(share(({ coverage }) => !coverage.complete)).toBeGreaterThan(0.02);
  },
);
