import type { Client } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { tokenFeatures } from '../../server/api/tokens/fields.ts';
import { randomStream } from '../../server/metrics/kernel/random-stream.ts';
import { makeToken } from '../access/made-token.ts';
import { rounds } from '../support/rounds.ts';
import { anyDatabase, type Service, startService } from '../support/service.ts';
import { connectClient } from './client.ts';
import { type Call, callsOfRepository, otherCalls } from './random-calls.ts';
import { makeWorld } from './random-world.ts';

let service: Service;
let [ann, bo]: Client[] = [];

// Each part has a service of its own, so that what it finds does not depend on the parts before.
beforeEach(async () => {
  const env = { RATE_LIMIT_SESSION_PER_MINUTE: '0', MCP_RATE_PER_MINUTE: '0' };
  service = await startService({ DATABASE_URL: anyDatabase, ...env });
  const connect = async (of: string) =>
    connectClient(service, (await makeToken(service, of, tokenFeatures, { expires_in_days: 366 })).headers);
  [ann, bo] = [await connect('token-ann'), await connect('token-bo')];
});
afterEach(() => service.close());

async function ask(client: Client | undefined, [name, input]: Call) {
  const { isError, content } = (await client?.callTool({ name, arguments: input })) ?? {};
  const [, text] = content as { text: string }[];
  return { code: isError ? JSON.parse(text?.text ?? '').code : 'answered', text: JSON.stringify(content) };
}

/** In parts, so that none takes too long: together at least 200 worlds where there is time. */
const parts = Array.from({ length: rounds('MCP_SECRET_PARTS', 1, 20) }, (_, index) => index);
const worldsOfPart = rounds('MCP_SECRETS', 1, 10);

test.each(parts)('a private repository of another account is in no tool and no list: part %i', async (part) => {
  const made = [];
  for (let seed = 1000 * part + 1; seed <= 1000 * part + worldsOfPart; seed++) {
    const random = randomStream('secrets of tools', seed);
    const repository = await makeWorld(service, random, 100_000 + seed, 'private');
    // One of each tool: whether somebody may read a repository does not depend on what else is passed.
    const calls = new Map(callsOfRepository(random, repository).map((one) => [one[0], one]));
    made.push({ repository, calls: [...calls.values()] });
  }
  const calls = made.flatMap((one) => one.calls);
  const aboutAll = otherCalls(randomStream('secrets of tools', part), 'octo');
  // What the other account reads is stored, and in the memory of the process.
  for (const one of [...calls, ...aboutAll]) expect([one, (await ask(ann, one)).code]).toEqual([one, 'answered']);
  for (const one of calls.filter(([, { type }]) => type !== 'org'))
    expect([one, (await ask(bo, one)).code]).toEqual([one, 'not_found']);
  for (const one of aboutAll) {
    const { text } = await ask(bo, one);
    expect([one, made.filter(({ repository }) => text.includes(repository.repo))]).toEqual([one, []]);
  }
});
