import { describe, expect, test } from 'vitest';
import { storedService } from '../../api/stored.ts';
import { aWorkflow } from '../../codehost-double/builders.ts';
import { aDatabase } from '../../support/a-database.ts';
import { type Service, startService } from '../../support/service.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/** Workflows of two repositories alike: sixty runs of nine minutes, and from twelve days ago on thirty of fourteen. */
function addSlowRepositories({ double, clock }: Service) {
  for (const [name, id, workflowId] of [
    ['octo/slower', 90_701, 7701],
    ['octo/unkept', 90_702, 7702],
  ] as const) {
    const workflows = [aWorkflow('octo', 'slower', { id: workflowId, createdAt: clock.now() - 99 * day })];
    const facts = { id, private: true, visibility: 'private', pushedAt: clock.now() - 30 * day } as const;
    double.addRepository({ name, facts, workflows });
    for (let index = 0; index < 90; index++)
      add(name, id * 1000 + index, clock.now() - (90 - index) * 0.4 * day, index < 60 ? 9 : 14);
  }
  function add(name: string, id: number, createdAt: number, minutes: number) {
    double.putRun(name, { id, createdAt, updatedAt: createdAt + minutes * minute + (id % 5) * 1000 });
  }
  return (id: number, minutes: number) => add('octo/slower', id, clock.now() - 2 * minute - 60 * minute, minutes);
}

interface Item {
  repository: { full_name: string };
  attention: { level: string; reason: string };
}

aDatabase((database) => {
  const visit = storedService(database);
  let add: ReturnType<typeof addSlowRepositories>;
  const ask = (service = visit.service, as = 'token-ann') =>
    service.ask('GET', '/api/codehost/repo-attention?org=octo', { as });
  const of = ({ body }: { body: { items: Item[] } }, name: string) =>
    body.items.find(({ repository }) => repository.full_name === name)?.attention;
  const pushed = { level: 'active', reason: 'Last push 30 days ago.' };

  describe('repositories in the order in which they ask to be looked at', () => {
    test('nothing is said of durations before runs are stored', async () => {
      add = addSlowRepositories(visit.service);
      const answer = await ask();
      expect(answer.body).toMatchObject({ durations_known: 0, data_source: 'live' });
      expect([of(answer, 'octo/slower'), of(answer, 'octo/unkept')]).toEqual([pushed, pushed]);
      const path = '/api/codehost/repo-attention?org=octo&format=csv';
      const file = (await visit.service.ask('GET', path, { as: 'token-ann' })).text.split('\r\n');
      expect(file[0]).toMatch(/^repo,attention,reason,latest_run_at,latest_conclusion,health,success_rate,/);
      expect(file.find((line) => line.startsWith('octo/slower,'))).toMatch(/,active,Last push 30 days ago\.,/);
    });

    test('a stored repository that became slower comes after those that fail, at no further request', async () => {
      const { double, clock } = visit.service;
      const operations = () => double.requests.map(({ operation }) => operation).sort();
      const cold = async () => {
        clock.advance(30 * minute);
        double.requests.length = 0;
        const answer = await ask();
        return { answer, asked: operations() };
      };
      const before = await cold();
      await visit.sync('owner=octo&repo=slower');
      const { answer, asked } = await cold();
      expect(asked).toEqual(before.asked);
      const slowing = { level: 'slowing', reason: 'CI takes 14 min 2 s instead of 9 min 2 s since 4 Nov.' };
      expect(of(answer, 'octo/slower')).toEqual(slowing);
      expect(of(answer, 'octo/unkept'), 'its runs are not kept').toEqual(pushed);
      const levels = (answer.body.items as Item[]).map(({ attention }) => attention.level);
      expect(levels.slice(0, 3)).toEqual(['failing', 'slowing', 'active']);
      expect(answer.body).toMatchObject({ failing: 1, slowing: 1 });
      const read = new Date(clock.now() - 32 * minute).toISOString();
      expect(answer.body).toMatchObject({ durations_known: 1, data_source: 'mixed', generated_at: read });
    });

    test('who cannot see the repository is shown nothing of it', async () => {
      const { text, body } = await ask(visit.service, 'token-bo');
      expect(text).not.toMatch(/slower|slowing":[1-9]|14 min/);
      expect(body.durations_known).toBe(0);
    });

    test('nor is anybody where there is no database', async () => {
      const without = await startService({}, visit.service);
      const answer = await ask(without);
      expect([of(answer, 'octo/slower'), answer.body.durations_known]).toEqual([pushed, 0]);
      await without.close();
    });

    test('nor on the word of an old list', async () => {
      const { double, clock } = visit.service;
      clock.advance(30 * minute);
      double.fault({}, { kind: 'primary_limit' });
      const old = await ask();
      expect(old.headers.get('x-stale')).toBe('true');
      expect([of(old, 'octo/slower'), old.body.durations_known]).toEqual([pushed, 0]);
      clock.advance(60 * minute);
      expect(of(await ask(), 'octo/slower')?.level).toBe('slowing');
    });

    test('runs that came and ended since are looked at again', async () => {
      for (let index = 0; index < 15; index++) {
        visit.service.clock.advance(minute);
        add(91_000_000 + index, 6);
      }
      expect(of(await ask(), 'octo/slower')?.level).toBe('slowing');
      await visit.sync('owner=octo&repo=slower');
      const answer = await ask();
      expect([of(answer, 'octo/slower'), answer.body.durations_known]).toEqual([pushed, 1]);
    });

    test('what was read longer than a day ago says nothing', async () => {
      visit.service.clock.advance(day);
      expect((await ask()).body.durations_known).toBe(0);
    });
  });
});
