import { afterEach, beforeEach, expect, test } from 'vitest';
import { between } from '../../server/demo/random.ts';
import { randomStream } from '../../server/metrics/kernel/random-stream.ts';
import type { Store } from '../../server/store/orm.ts';
import { everybody } from '../codehost-double/everybody.ts';
import { addRandomRepository, type RandomRepository } from '../codehost-double/random-repository.ts';
import { chance } from '../codehost-double/random-values.ts';
import { rounds } from '../support/rounds.ts';
import { anyDatabase, type Service, startService } from '../support/service.ts';

const dayMs = 86_400_000;
let service: Service;

// Each part has a service of its own, so that what it finds does not depend on the parts before.
beforeEach(async () => {
  const env = { RATE_LIMIT_SESSION_PER_MINUTE: '0', SESSION_TTL_HOURS: '720' };
  service = await startService({ DATABASE_URL: anyDatabase, ...env });
});
afterEach(() => service.close());

const ask = (method: string, path: string, body?: object) =>
  service.ask(method, path, { as: 'token-ann', ...(body && { body }) });

/** Every page that can be shared. */
function pagesOf({ owner, repo, workflowIds: [workflow] }: RandomRepository): string[] {
  const of = `owner=${owner}&repo=${repo}`;
  return [
    ...['', '/deployments', '/issues'].map((page) => `/repos/${owner}/${repo}${page}`),
    `/org/${owner}`,
    `/org/${owner}/health`,
    `/reports?org=${owner}`,
    `/reports?repo=${owner}%2F${repo}`,
    ...['lead_time', 'unassigned_count', 'total_deployments'].map((metric) => `/explain?metric=${metric}&${of}`),
    ...(workflow === undefined
      ? []
      : [
          `/repos/${owner}/${repo}/workflows/${workflow}`,
          `/explain?metric=success_rate&${of}&workflow_id=${workflow}`,
        ]),
  ];
}

/** Every text of a value, those of keys included. */
function leaves(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...leaves(inner)]);
}

async function share(page: string) {
  // More are made here than an account may make in an hour.
  service.clock.advance(61_000);
  const { status, body } = await ask('POST', '/api/shares', { page });
  expect([page, status]).toEqual([page, 201]);
  const rows = await (service.app.services.store as Store).queue.executeSql(
    'select snapshot from shares where id = $1',
    [body.share.id],
  );
  await ask('DELETE', `/api/shares?id=${body.share.id}`);
  return (rows.rows[0] as { snapshot: unknown }).snapshot;
}

/** In parts, so that none takes too long: together at least 200 worlds where there is time. */
const parts = Array.from({ length: rounds('SHARED_PARTS', 1, 10) }, (_, index) => index);
const worldsOfPart = rounds('SHARED_WORLDS', 2, 20);

test.each(parts)('a snapshot of no page holds anybody of any world: part %i', { timeout: 300_000 }, async (part) => {
  let [pages, texts] = [0, 0];
  for (let seed = 1000 * part + 1; seed <= 1000 * part + worldsOfPart; seed++) {
    service.double.reset();
    const random = randomStream('shared worlds', seed);
    const made = addRandomRepository(service, seed);
    if (chance(random, 0.7)) await ask('POST', `/api/db/sync?owner=${made.owner}&repo=${made.repo}`);
    service.clock.advance(between(random, 0, dayMs));
    const { world } = service.double;
    const people = new Set([
      ...everybody(world).map(({ login }) => login),
      ...world.accounts.flatMap(({ login, name, email }) => [login, name, email]),
    ]);
    people.delete(made.owner);
    for (const page of pagesOf(made)) {
      const found = leaves(await share(page));
      const words = found.flatMap((text) => text.split(/[^\w.@[\]-]+/));
      const isPerson = (text: string) => people.has(text) || /@|avatars/.test(text);
      expect([seed, page, [...found, ...words].filter(isPerson)]).toEqual([seed, page, []]);
      pages++;
      texts += found.length;
    }
  }
  expect(pages).toBeGreaterThan(10 * worldsOfPart - 3);
  expect(texts).toBeGreaterThan(100 * pages);
});
