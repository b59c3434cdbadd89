import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectFields } from '../../api/endpoints.ts';
import { storedService } from '../../api/stored.ts';
import { aDatabase } from '../../support/a-database.ts';
import { type Service, startService } from '../../support/service.ts';
import { besidesTokenCheck } from '../../support/token-check.ts';

aDatabase((database) => {
  const visit = storedService(database);
  const find = (q: string, as = 'token-ann') =>
    visit.service.ask('GET', `/api/search?${new URLSearchParams({ q })}`, { as });
  beforeAll(async () => {
    await visit.sync('owner=octo&repo=web');
    await visit.sync('owner=octo&repo=secret');
    const { clock } = visit.service;
    await visit.service.ask('GET', '/api/codehost/repo-contributors?owner=octo&repo=web&days=30', { as: 'token-ann' });
    await visit.service.ask('GET', '/api/codehost/repo-contributors?owner=octo&repo=secret&days=30', {
      as: 'token-ann',
    });
    clock.advance(1000);
  });

  describe('a search', () => {
    test('finds repositories, those that begin with the text first', async () => {
      const { body } = await find('WEB');
      expect(body.repositories[0]).toEqual({ repo: 'octo/web', archived: false });
      expect((await find('octo/')).body.repositories.length).toBe(9);
      expect((await find('old')).body.repositories).toEqual([{ repo: 'octo/old', archived: true }]);
    });

    test('finds workflows with stored runs, and authors of stored pull requests, but no bots', async () => {
      const { workflows } = (await find('ci')).body;
      expect(workflows).toContainEqual({ repo: 'octo/web', workflow_id: 7001, workflow: 'CI' });
      expect((await find('ana')).body.people).toContainEqual({ login: 'ana', owner: 'octo' });
      expect((await find('bot')).body.people).toEqual([]);
    });

    test('takes letters of patterns as letters, and finds nothing without a text', async () => {
      for (const q of ['%', '_', '.*', "'", '\\'])
        expect((await find(q)).body, q).toMatchObject({ repositories: [], workflows: [], people: [] });
      expect((await find('')).body).toMatchObject({ q: '', repositories: [], workflows: [], people: [] });
      expectFields(await find('x'.repeat(101)), ['q', 'invalid']);
    });

    test('names nothing of what the caller cannot see', async () => {
      const theirs = await find('e', 'token-bo');
      const names = [...theirs.body.repositories, ...theirs.body.workflows].map(({ repo }) => repo);
      expect(names).not.toContain('octo/secret');
      expect((await find('secret', 'token-bo')).body).toMatchObject({ repositories: [], workflows: [], people: [] });
      const mine = (await find('secret')).body;
      expect(mine.repositories).toEqual([{ repo: 'octo/secret', archived: false }]);
      expect((await visit.service.ask('GET', '/api/search?q=web', {})).status).toBe(401);
    });

    test('asks the platform for what the list of repositories asks, and for nothing without a text', async () => {
      const { double, clock } = visit.service;
      const sent = async (path: string) => {
        clock.advance(16 * 60_000);
        double.requests.length = 0;
        expect((await visit.service.ask('GET', path, { as: 'token-ann' })).status).toBe(200);
        return besidesTokenCheck(double.requests).map(({ operation }) => operation);
      };
      const listed = await sent('/api/codehost/repos');
      expect(await sent('/api/search?q=ci')).toEqual(listed);
      double.requests.length = 0;
      await find('web');
      expect(double.requests).toEqual([]);
      expect(await sent('/api/search')).toEqual([]);
    });

    test('shows nothing while it cannot be proved what may be seen', async () => {
      const { double, clock } = visit.service;
      clock.advance(16 * 60_000);
      double.fault({ times: 1000 }, { kind: 'status', status: 502 });
      expect((await find('web')).body).toMatchObject({ code: expect.stringMatching(/^(authz|upstream)_unavailable$/) });
      double.reset();
    });
  });
});

describe('in an organization', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ MODE: 'organization', DEFAULT_GROUP: 'security' });
  });
  afterAll(() => service?.close());

  test('people are withheld where profiles are not granted', async () => {
    const bo = await service.signIn('token-bo');
    const { body } = await service.ask('GET', '/api/search?q=a', { headers: { cookie: bo } });
    expect(body.people).toEqual([]);
    expect(body.withheld).toEqual([{ feature: 'contributorProfile', fields: ['people'] }]);
  });
});
