import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { anyone } from '../../server/access/rules.ts';
import { type Operation, operation } from '../../server/api/operation.ts';
import { createContext } from '../../server/http/context.ts';
import { emptyReply, execute } from '../../server/http/execute.ts';
import { workday } from '../../server/settings/workday.ts';
import type { Store } from '../../server/store/orm.ts';
import { repository, run } from '../store/world.ts';
import { eachDatabase } from '../support/database.ts';
import { rounds } from '../support/rounds.ts';
import { type Service, startService } from '../support/service.ts';

const minute = 60_000;
const hour = 60 * minute;

/** What is asked, by two people who see other repositories. */
const questions = [
  'runs?owner=octo&repo=web&limit=5',
  'runs?owner=octo&repo=web&conclusion=failure',
  'trends?owner=octo&repo=web&days=30',
  'trends?owner=octo&repo=web&range=quarter&compare=previous',
  'trends?owner=octo&repo=web&type=quarterly',
  'trends?owner=octo&type=org&days=30',
  'overview?org=octo',
  'workflows?org=octo&range=7',
  'workflow-durations?owner=octo&repo=web&workflow_id=7001',
  'cost?org=octo&by=repository',
  'collection?owner=octo',
  'collection?owner=octo&repo=web',
  'working-habits?owner=octo',
];
const people = ['token-ann', 'token-bo'];

const change = fc.record({
  kind: fc.constantFrom(
    'run',
    'run',
    'ending',
    'recompute',
    'zone',
    'untrack',
    'track',
    'sync',
    'minute',
    'quarter of an hour',
    'night',
    'merge of versions',
  ),
  which: fc.nat(2),
});

eachDatabase((given) => {
  describe('an answer that is given again', () => {
    const services: Service[] = [];
    let ids: number[];
    beforeAll(async () => {
      const env = { DATABASE_URL: await given.migrated(), RATE_LIMIT_SESSION_PER_MINUTE: '0' };
      const first = await startService(env);
      services.push(first);
      if (given.name === 'postgresql') services.push(await startService(env, first));
      for (const repo of ['web', 'secret']) await sync(first, `owner=octo&repo=${repo}`);
      ids = (await storeOf(first).repositories.tracked('octo')).map(({ id }) => id);
    });
    afterAll(async () => {
      for (const service of services.toReversed()) await service.close();
    });

    const stored = (which: number) => ids[which % ids.length] as number;
    let lastRun = 900_000;

    async function make(kind: string, which: number): Promise<void> {
      const service = services[which % services.length] as Service;
      const store = storeOf(service);
      const { clock } = service;
      const now = clock.now();
      const late = { createdAt: now - 2 * minute, startedAt: now - 2 * minute, updatedAt: now - which * 1000 };
      if (kind === 'run') await store.runs.ingest(stored(which), [run(++lastRun, late)], { syncedAt: now });
      if (kind === 'ending')
        await store.runs.ingest(stored(which), [run(lastRun, { ...late, conclusion: 'failure', updatedAt: now })], {
          syncedAt: now,
        });
      if (kind === 'recompute') await store.runs.recomputeDirty();
      if (kind === 'zone') {
        const timezone = ['UTC', 'Asia/Kathmandu', 'America/Caracas'][which];
        const by = { actor: { id: 1, login: 'ann' }, requestId: 'request', now };
        await store.settings.put(workday.key, { value: { ...workday.fallback, timezone }, by });
      }
      if (kind === 'untrack') await store.repositories.untrack(stored(which));
      if (kind === 'track')
        await service.ask('POST', `/api/db/sync?owner=octo&repo=${which === 0 ? 'web' : 'secret'}`, {
          as: 'token-ann',
        });
      if (kind === 'sync') await service.ask('POST', '/api/db/sync?org=octo', { as: 'token-ann' });
      if (kind === 'minute') clock.advance(minute);
      if (kind === 'quarter of an hour') clock.advance(15 * minute);
      if (kind === 'night') clock.advance(9 * hour);
      if (kind === 'merge of versions') await store.versions.merge();
    }

    /** Every question as it is answered now, and as it is where nothing is remembered. */
    async function check(): Promise<void> {
      for (const service of services) {
        const { reusedAnswers } = service.app.services;
        const answers = async (before: () => void) => {
          const all: string[] = [];
          for (const as of people)
            for (const question of questions) {
              before();
              const { status, text, headers } = await service.ask('GET', `/api/db/${question}`, { as });
              all.push(
                `${as} ${question} ${status} ${headers.get('x-canonical-repo')} ${text.replace(/"request_id":"[^"]+"/, '')}`,
              );
            }
          return all;
        };
        const given = await answers(() => undefined);
        const remembered = reusedAnswers.dump();
        const anew = await answers(() => reusedAnswers.clear());
        reusedAnswers.clear();
        reusedAnswers.load(remembered);
        expect(given).toEqual(anew);
      }
    }

    test('is the one that would be made now, whatever changes, for everybody and in every process', async () => {
      await check();
      await fc.assert(
        fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
          for (const { kind, which } of changes) await make(kind, which);
          await check();
        }),
        { numRuns: rounds('REUSES', 6, 25), endOnFailure: true },
      );
    });
  });

  test('is stored for nobody when what the caller sees has changed while it was made', async () => {
    const service = await startService({ DATABASE_URL: await given.migrated() });
    try {
      let seen = 'public';
      let made = 0;
      const growing = operation({
        method: 'GET',
        path: '/api/db/runs',
        summary: '',
        access: anyone,
        input: z.object({}),
        output: z.object({ made: z.int() }),
        dependsOn: async () => ({ scopes: ['facts'], sees: seen, until: Number.POSITIVE_INFINITY }),
        async run() {
          seen = 'public and secret';
          return { made: ++made };
        },
      });
      expect(await answerOf(service, growing)).toEqual([{ made: 1 }, null]);
      seen = 'public';
      expect(await answerOf(service, growing)).toEqual([{ made: 2 }, null]);
    } finally {
      await service.close();
    }
  });

  test('is not made again while nothing changes, and made again when its time is over', async () => {
    const service = await startService({ DATABASE_URL: await given.migrated() });
    try {
      const { clock } = service;
      let made = 0;
      const counting = operation({
        method: 'GET',
        path: '/api/db/runs',
        summary: '',
        access: anyone,
        input: z.object({}),
        output: z.object({ made: z.int() }),
        dependsOn: async () => ({ scopes: ['facts', 'repo:1'], sees: '', until }),
        run: async (_input, _context, reply) => {
          reply.headers.set('X-Made', String(++made));
          return { made };
        },
      });
      let until = clock.now() + minute;
      const ask = () => answerOf(service, counting);
      expect(await ask()).toEqual([{ made: 1 }, '1']);
      expect(await ask()).toEqual([{ made: 1 }, '1']);
      await storeOf(service).repositories.track(repository(1), 'ann', clock.now());
      expect(await ask()).toEqual([{ made: 2 }, '2']);
      clock.advance(minute);
      until = clock.now() + minute;
      expect(await ask()).toEqual([{ made: 3 }, '3']);
      // A clock that was set back makes no answer of the future true.
      clock.advance(-1);
      expect(await ask()).toEqual([{ made: 4 }, '4']);
    } finally {
      await service.close();
    }
  });
});

async function sync(service: Service, query: string): Promise<void> {
  const { status } = await service.ask('POST', `/api/db/sync?${query}`, { as: 'token-ann' });
  expect(status).toBe(200);
}

const storeOf = ({ app }: Service): Store => app.services.store as Store;

/** The answer to an operation that only a test has, and its header `X-Made`. */
async function answerOf({ app }: Service, asked: Operation): Promise<[unknown, string | null]> {
  const context = createContext(app.services, {
    method: 'GET',
    url: new URL('http://localhost/api/db/runs'),
    headers: new Headers(),
    address: '127.0.0.1',
    signal: new AbortController().signal,
  });
  const reply = emptyReply();
  const answer = await execute(asked, () => ({ values: {}, duplicates: [], unknown: [] }), context, reply);
  return [answer, reply.headers.get('x-made')];
}
