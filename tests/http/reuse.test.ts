import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { anyone } from '../../server/access/rules.ts';
import { type Operation, operation } from '../../server/api/operation.ts';
import { createContext } from '../../server/http/context.ts';
import { emptyReply, execute } from '../../server/http/execute.ts';
import { noteFreshUntil, noteRequested } from '../../server/platform/freshness.ts';
import { getDelivery } from '../../server/reports/delivery/operations.ts';
import { getDeployments } from '../../server/reports/deployments/operations.ts';
import { getOpenPullRequests } from '../../server/reports/pull-requests/operations.ts';
import { getRepositoryOverview } from '../../server/reports/workflows/operations.ts';
import { workday } from '../../server/settings/workday.ts';
import type { Store } from '../../server/store/orm.ts';
import { expectProblem } from '../api/endpoints.ts';
import { repositoryOf } from '../codehost-double/world.ts';
import { repository, run } from '../store/world.ts';
import { eachDatabase } from '../support/database.ts';
import { rounds } from '../support/rounds.ts';
import { type Service, startService } from '../support/service.ts';

const minute = 60_000;
const hour = 60 * minute;

/** What is asked, by two people who see other repositories. */
const questions = [
  // These read the platform too, and store what the others answer with: those that accept the least age come first, for
  // they bring every kind up to date that the next ones would still accept.
  'codehost/open-pr-health?owner=octo&repo=web',
  'codehost/issues?owner=octo&repo=web',
  'codehost/deployments?owner=octo&repo=web',
  'codehost/repo-dora?owner=octo&repo=web',
  'codehost/repo-summary?owner=octo&repo=web',
  'codehost/repo-summary?owner=octo&repo=secret',
  'codehost/repo-overview?owner=octo&repo=web',
  'codehost/repo-overview?owner=octo&repo=secret',
  'codehost/workflows?owner=octo&repo=web',
  'codehost/workflow-health?owner=octo&repo=web&workflow_id=7001',
  // Each of these may store jobs that the next ones answer with.
  'codehost/run-details?owner=octo&repo=web&run_id=5011',
  'codehost/runner-stats?owner=octo&repo=web',
  'codehost/workflow-cost?owner=octo&repo=web&workflow_id=7001',
  'codehost/job-stats?owner=octo&repo=web&workflow_id=7001',
  'codehost/workflow-reliability?owner=octo&repo=web&workflow_id=7001',
  'codehost/runs?owner=octo&repo=web&workflow_id=7001',
  'codehost/team-stats?owner=octo&repo=web',
  'codehost/repo-contributors?owner=octo&repo=web',
  'codehost/bus-factor?owner=octo&repo=web',
  'codehost/team-workload-risk?owner=octo&repo=web',
  'codehost/security-alerts?owner=octo&repo=web',
  'codehost/security-scan?owner=octo&repo=web',
  'codehost/audit-log?owner=octo&repo=web',
  'codehost/workflow-change-outcomes?owner=octo&repo=web',
  'advisor/recommendations?owner=octo&repo=web',
  'db/runs?owner=octo&repo=web&limit=5',
  'db/runs?owner=octo&repo=web&conclusion=failure',
  'db/trends?owner=octo&repo=web&days=30',
  'db/trends?owner=octo&repo=web&range=quarter&compare=previous',
  'db/trends?owner=octo&repo=web&type=quarterly',
  'db/trends?owner=octo&type=org&days=30',
  'db/compare?owner=octo&repo=web&metrics=success_rate,duration_p50,runs,merged&days=7',
  'db/compare?owner=octo&metrics=duration_p95,queue_p95,lead_time,first_review,merged',
  'db/overview?org=octo',
  'db/pull-requests?org=octo&bots=out',
  'db/deployments?org=octo',
  'codehost/org-merge-queues?org=octo',
  'db/workflows?org=octo&range=7',
  'db/workflow-durations?owner=octo&repo=web&workflow_id=7001',
  'db/cost?org=octo&by=repository',
  'db/collection?owner=octo',
  'db/collection?owner=octo&repo=web',
  'db/working-habits?owner=octo',
];
const people = ['token-ann', 'token-bo'];

/** What the headers of an answer report about it. */
const notes = (headers: Headers) =>
  ['canonical-repo', 'data-as-of', 'data-source', 'partial', 'partial-reason', 'stale', 'total-count']
    .map((name) => headers.get(`x-${name}`))
    .join();

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
    'merge',
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
      if (kind === 'merge') mergeOldest(service, now);
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
              const { status, text, headers } = await service.ask('GET', `/api/${question}`, { as });
              all.push(`${as} ${question} ${status} ${notes(headers)} ${text.replace(/"request_id":"[^"]+"/, '')}`);
            }
          return all;
        };
        // Some answers store the jobs that they read, of which others are made.
        await answers(() => undefined);
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
        { numRuns: rounds('REUSES', 1, 25), endOnFailure: true },
      );
    });
  });

  test('is given again while what it read is fresh, and never where something was requested', async () => {
    const service = await startService({ DATABASE_URL: await given.migrated() });
    try {
      const { clock } = service;
      let note: () => void;
      const counting = countAnswers(() => note());
      const ask = () => answerOf(service, counting);
      note = noteRequested;
      expect(await ask()).toEqual([{ made: 1 }, '1']);
      note = () => noteFreshUntil(clock.now() + 1000);
      expect(await ask()).toEqual([{ made: 2 }, '2']);
      clock.advance(999);
      expect(await ask()).toEqual([{ made: 2 }, '2']);
      clock.advance(1);
      expect(await ask()).toEqual([{ made: 3 }, '3']);
    } finally {
      await service.close();
    }
  });

  test('of what was read with a token is for this token alone', async () => {
    const service = await startService({ DATABASE_URL: await given.migrated() });
    try {
      for (const { path, dependsOn } of [getDelivery, getDeployments, getOpenPullRequests, getRepositoryOverview]) {
        const seen = [];
        for (const as of people) {
          await service.ask('GET', `${path}?owner=octo&repo=web`, { as });
          const headers = new Headers({ cookie: await service.signIn(as) });
          seen.push((await dependsOn?.({ owner: 'octo', repo: 'web' }, contextOf(service, headers)))?.sees);
        }
        expect(new Set([...seen, undefined]).size, path).toBe(3);
      }
    } finally {
      await service.close();
    }
  });

  test('is none while the time zone of the team cannot be read, and nothing is left of that', async () => {
    const service = await startService({ DATABASE_URL: await given.migrated() });
    try {
      const { settings, queue } = storeOf(service);
      const by = { actor: { id: 1, login: 'ann' }, requestId: 'request', now: service.clock.now() };
      await settings.put(workday.key, { value: { ...workday.fallback, timezone: 'America/Caracas' }, by });
      await sync(service, 'owner=octo&repo=web');
      const ask = () => service.ask('GET', '/api/db/trends?owner=octo&repo=web', { as: 'token-ann' });
      await queue.executeSql('alter table settings rename to settings_elsewhere');
      expectProblem(await ask(), 503, 'db_unavailable');
      await queue.executeSql('alter table settings_elsewhere rename to settings');
      const { status, body } = await ask();
      expect([status, body]).toMatchObject([200, { coverage: { timezone: 'America/Caracas' } }]);
    } finally {
      await service.close();
    }
  });

  test('is stored for nobody when what the caller sees has changed while it was made', async () => {
    const service = await startService({ DATABASE_URL: await given.migrated() });
    try {
      let seen = 'public';
      const growing = countAnswers(
        () => {
          seen = 'public and secret';
        },
        { sees: () => seen },
      );
      expect(await answerOf(service, growing)).toEqual([{ made: 1 }, '1']);
      seen = 'public';
      expect(await answerOf(service, growing)).toEqual([{ made: 2 }, '2']);
    } finally {
      await service.close();
    }
  });

  test('is not made again while nothing changes, and made again when its time is over', async () => {
    const service = await startService({ DATABASE_URL: await given.migrated() });
    try {
      const { clock } = service;
      let until = clock.now() + minute;
      const counting = countAnswers(() => undefined, { until: () => until });
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

/** An operation that says how often its answer was made; `read` is what it reads. */
function countAnswers(
  read: () => void,
  { until = () => Number.POSITIVE_INFINITY, sees = () => '' }: { until?: () => number; sees?: () => string } = {},
) {
  let made = 0;
  return operation({
    method: 'GET',
    path: '/api/db/runs',
    summary: '',
    access: anyone,
    input: z.object({}),
    output: z.object({ made: z.int() }),
    dependsOn: async () => ({ scopes: ['facts', 'repo:1'], sees: sees(), until: until() }),
    run: async (_input, _context, reply) => {
      read();
      reply.headers.set('X-Made', String(++made));
      return { made };
    },
  });
}

/** On the platform the oldest open pull request is merged, where one is open. */
function mergeOldest({ double }: Service, now: number): void {
  const open = repositoryOf(double.world, 'octo/web').pullRequests.find(({ state }) => state === 'open');
  if (open) Object.assign(open, { state: 'merged', mergedAt: now, closedAt: now, updatedAt: now });
}

const storeOf = ({ app }: Service): Store => app.services.store as Store;

/** The answer to an operation that only a test has, and its header `X-Made`. */
async function answerOf(service: Service, asked: Operation): Promise<[unknown, string | null]> {
  const reply = emptyReply();
  const none = () => ({ values: {}, duplicates: [], unknown: [] });
  const answer = await execute(asked, none, contextOf(service), reply);
  return [answer, reply.headers.get('x-made')];
}

const contextOf = ({ app }: Service, headers = new Headers()) =>
  createContext(app.services, {
    method: 'GET',
    url: new URL('http://localhost/api/db/runs'),
    headers,
    address: '127.0.0.1',
    signal: new AbortController().signal,
  });
