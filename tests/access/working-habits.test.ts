import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectFields, expectProblem } from '../api/endpoints.ts';
import { storedService } from '../api/stored.ts';
import { anActor } from '../metrics/delivery-builders.ts';
import type { MadeCommit } from '../metrics/habit-worlds.ts';
import { aCommit, aMerge, askHabits, keep, web } from '../reports/habits/habit-builders.ts';
import { day } from '../reports/workload/workload-world.ts';
import { shaOf } from '../store/stored-habits.ts';
import { aDatabase } from '../support/a-database.ts';
import { type Service, startService } from '../support/service.ts';
import { type Member, settle } from './personas.ts';

describe('in an organization', () => {
  let service: Service;
  let tokens: Record<Member, string>;
  beforeAll(async () => {
    service = await startService({ MODE: 'organization', RATE_LIMIT_SESSION_PER_MINUTE: '0' });
    tokens = await settle(service);
    const now = service.clock.now();
    await keep(service, 'octo/web', [
      aMerge('person-3', now - day, aCommit('person-3'), aCommit('person-4', 900)),
      aMerge('person-4', now - day, aCommit('Person-3', 50), aCommit(null)),
    ]);
    const by = { actor: { id: 101, login: 'ann' }, requestId: null, now };
    await service.app.services.store?.identity.link({ alias: 'person-4', primary: 'person-3' }, by);
  });
  afterAll(() => service.close());
  const ask = (query: string, kind: Member) => askHabits(service, `${web}${query}`, tokens[kind]);

  test('without the grant a login must be given, and it must be one’s own', async () => {
    expectFields(await ask('', 'in dev'), ['login', 'missing']);
    for (const login of ['person-4', 'nobody-anywhere', 'person-33']) {
      const response = await ask(`&login=${login}`, 'in dev');
      expectProblem(response, 403, 'forbidden');
      expect(response.body.flag).toBe('workingHabits');
    }
  });

  test('the error comes before anything is looked up, and is the same whatever exists', async () => {
    service.double.requests.length = 0;
    const reported = async (query: string) => {
      const { body } = await askHabits(service, query, tokens['in dev']);
      return { ...body, request_id: null };
    };
    const known = await reported(`${web}&login=person-4`);
    expect(await reported('owner=octo&repo=no-such-thing&login=nobody')).toEqual(known);
    expect(await reported('owner=nobody&login=person-4')).toEqual(known);
    expect(service.double.requests.map(({ operation }) => operation)).not.toContain('repos/get');
  });

  test('their own login, in any letters, gives their own account alone, without links', async () => {
    for (const login of ['person-3', 'PERSON-3']) {
      const { status, body, text } = await ask(`&login=${login}`, 'in dev');
      expect(status).toBe(200);
      expect(body).toMatchObject({ scope: 'self', totals: null, available: true });
      expect(body.people).toHaveLength(1);
      expect(body.people[0]).toMatchObject({
        linkedLogins: [],
        unlinkedName: false,
        prsMerged: 1,
        commits: 2,
        oversizedCommits: 0,
        medianLinesPerCommit: 30,
        medianCommitsPerPr: 2,
      });
      expect(body.coverage).toMatchObject({ prsMerged: 1, prsSynced: 1 });
      expect(text).not.toMatch(/person-4|Kim/);
    }
  });

  test('who did nothing has no row, and learns nothing of the others', async () => {
    const { body } = await ask('&login=person-1', 'in devops');
    expect(body).toMatchObject({ people: [], totals: null, scope: 'self', coverage: { prsMerged: 0, prsSynced: 0 } });
  });

  test('an administrator, and whoever is granted it, sees everybody', async () => {
    const { body } = await ask('', 'in admin');
    expect(body.people[0]).toMatchObject({ linkedLogins: ['person-4'], commits: 3, prsMerged: 2 });
    expect(body.people[0].login).toMatch(/^person-3$/i);
    const { store, clock } = service.app.services;
    const by = { actor: { id: 101, login: 'ann' }, requestId: null, now: clock.now() };
    await store?.permissions.set({ group: 'pm', flag: 'workingHabits', granted: true }, by);
    expect((await ask('&login=person-4', 'in pm')).body).toMatchObject({
      scope: 'all',
      people: [{ linkedLogins: ['person-4'] }],
    });
    await store?.permissions.set({ group: 'pm', flag: 'workingHabits', granted: false }, by);
    expect((await ask('', 'in pm')).status).toBe(400);
  });

  test('while access is not enforced every member sees everybody', async () => {
    const open = await startService({ MODE: 'organization', ACCESS_ENFORCEMENT: 'off' });
    const others = await settle(open);
    const { status, body } = await askHabits(open, 'owner=octo', others['in dev']);
    expect([status, body.scope]).toEqual([200, 'all']);
    await open.close();
  });
});

const logins = ['person-1', 'person-2', 'person-3', 'Person-3', 'person-4', 'stranger-x', 'stranger-y', 'robot[bot]'];
const who = fc.constantFrom(...logins).map(anActor);
const somebody = fc.option(who, { nil: null, freq: 9 });
const commit: fc.Arbitrary<MadeCommit> = fc.record({
  author: somebody,
  authorName: fc.constantFrom<string>('person-3', 'Hidden Name', 'stranger-y'),
  additions: fc.option(fc.nat(900), { nil: null, freq: 9 }),
  deletions: fc.nat(9),
  files: fc.nat(30),
  isMerge: fc.nat(6).map((one) => one === 0),
});
const merged = fc.record({
  author: somebody,
  ago: fc.integer({ min: 1, max: 40 * day }),
  isRead: fc.boolean(),
  isTruncated: fc.boolean(),
  additions: fc.nat(999),
  deletions: fc.nat(99),
  files: fc.nat(99),
  commits: fc.array(commit, { maxLength: 6 }),
});
const worlds = fc.array(fc.tuple(fc.constantFrom('web', 'api'), merged), { minLength: 1, maxLength: 9 });
type Made = typeof worlds extends fc.Arbitrary<infer World> ? World : never;

const isBy = (login: string, author: { login: string } | null) => author?.login.toLowerCase() === login;

/** The same world as if the others were other people who had done other things; what is the caller's own stays. */
function withOthersChanged(world: Made, login: string): Made {
  const other = (author: MadeCommit['author']) =>
    author === null || author.isBot || isBy(login, author) ? author : anActor('somebody-else');
  return world.flatMap(([repo, { commits, ...made }]) => {
    const renamed = commits.map((one) => ({ ...one, author: other(one.author) }));
    if (isBy(login, made.author)) return [[repo, { ...made, commits: renamed.map((one) => sizedAsOwn(one, login)) }]];
    const own = renamed.filter(({ author }) => isBy(login, author));
    return own.length === 0 ? [] : [[repo, { ...made, author: other(made.author), additions: 7, commits: own }]];
  });
}

const sizedAsOwn = (one: MadeCommit, login: string) =>
  isBy(login, one.author) ? one : { ...one, additions: 3, files: 2, authorName: 'Another Name' };

aDatabase((database) => {
  describe('whoever may not see everybody, in random worlds,', () => {
    const visit = storedService(database, { MODE: 'organization', RATE_LIMIT_SESSION_PER_MINUTE: '0' });
    let service: Service;
    let tokens: Record<Member, string>;
    beforeAll(async () => {
      service = visit.service;
      tokens = await settle(service);
    });

    /** Numbers of pull requests tell whose they are. */
    async function put(world: Made, numberOf: (index: number, own: boolean) => number, login: string) {
      for (const name of ['web', 'api']) {
        const own = world.flatMap(([repo, { ago, isTruncated, ...made }], index) => {
          const number = numberOf(index, isBy(login, made.author));
          const rest = { number, mergedAt: service.clock.now() - ago, isTruncated: made.isRead && isTruncated };
          return repo === name ? [{ ...made, ...rest }] : [];
        });
        await keep(service, `octo/${name}`, own);
      }
    }

    test('reads nothing that anybody else did: no login, no id of a commit, no number, no count', async () => {
      const callers = { 'person-1': 'in devops', 'person-2': 'in security', 'person-3': 'in dev', 'person-4': 'in pm' };
      await fc.assert(
        fc.asyncProperty(worlds, fc.constantFrom(...Object.entries(callers)), async (world, [login, kind]) => {
          const ask = async (query: string) =>
            (await askHabits(service, `${query}&login=${login}`, tokens[kind as Member])).text;
          // Own pull requests have the numbers 1 to 9 in both worlds, those of others differ.
          await put(world, (index, isOwn) => (isOwn ? index + 1 : 70_001 + index), login);
          const reported = [await ask('owner=octo'), await ask(web)];
          for (const text of reported) {
            expect(text).not.toMatch(/7000\d|stranger|Hidden|robot/);
            for (const other of logins.filter((one) => one.toLowerCase() !== login)) expect(text).not.toContain(other);
            for (const id of [1001, 1002])
              for (const index of world.keys()) expect(text).not.toContain(shaOf(id, 70_001 + index, 0).slice(0, 12));
          }
          const places = new Map(withPlaces(world, login));
          await put(
            withOthersChanged(world, login),
            (index, isOwn) => (isOwn ? (places.get(index) ?? 0) : 80_001 + index),
            login,
          );
          expect([await ask('owner=octo'), await ask(web)]).toEqual(reported);
        }),
        { numRuns: 25, seed: 5 },
      );
    });
  });
});

/** Where a pull request stood before those that are no longer there were taken out, by where it stands now. */
function withPlaces(world: Made, login: string): [now: number, before: number][] {
  const stay = world.flatMap(([, { author, commits }], index) =>
    isBy(login, author) || commits.some((one) => isBy(login, one.author)) ? [index] : [],
  );
  return stay.map((before, now) => [now, before + 1]);
}
