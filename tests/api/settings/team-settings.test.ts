import { describe, expect, test } from 'vitest';
import { anyDatabase } from '../../support/service.ts';
import { expectFields, expectProblem, visitService } from '../endpoints.ts';

const team = '/api/settings/team';
const habits = '/api/settings/working-habits';
const ann = { as: 'token-ann' };
const fallback = { timezone: 'Asia/Saigon', start: 8, end: 19 };

describe('in organization mode', () => {
  const visit = visitService({ MODE: 'organization' });
  const put = (path: string, body: unknown) => visit.service.ask('PUT', path, { ...ann, body });
  const get = async (path: string) => (await visit.service.ask('GET', path, ann)).body;
  const entries = async () => (await get('/api/admin/audit?category=settings')).entries;

  test('until somebody saves a workday, the default holds', async () => {
    expect(await get(team)).toEqual({
      ...fallback,
      defaults: fallback,
      source: 'default',
      updated_by: null,
      updated_at: null,
      version: 0,
      db_available: true,
    });
  });

  test('a workday that cannot be is rejected by its field, and nothing is saved', async () => {
    for (const [body, field] of [
      [{ ...fallback, timezone: 'Mars/Base' }, 'timezone'],
      [{ ...fallback, timezone: '+07:00' }, 'timezone'],
      [{ ...fallback, start: 19, end: 8 }, 'end'],
      [{ ...fallback, start: 8, end: 8 }, 'end'],
      [{ ...fallback, end: 25 }, 'end'],
      [{ ...fallback, start: -1 }, 'start'],
      [{ ...fallback, start: 8.5 }, 'start'],
      [{ ...fallback, start: null }, 'start'],
      [{ ...fallback, end: true }, 'end'],
      [{ ...fallback, end: [] }, 'end'],
    ] as const)
      expectFields(await put(team, body), [field, 'invalid']);
    expectFields(await put(team, { timezone: 'UTC' }), ['start', 'missing'], ['end', 'missing']);
    expectFields(await put(team, { ...fallback, zone: 'UTC' }), ['zone', 'unknown']);
    expect([(await get(team)).source, await entries()]).toEqual(['default', []]);
  });

  test('a workday is saved as it was given, with one entry for each change', async () => {
    const answer = await put(team, fallback);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        ...fallback,
        defaults: fallback,
        source: 'saved',
        updated_by: 'ann',
        updated_at: '2026-11-16T10:00:00.000Z',
        version: 1,
        db_available: true,
      },
    ]);
    expect(await get(team)).toEqual(answer.body);
    await put(team, fallback);
    await put(team, { ...fallback, end: 18 });
    expect(await entries()).toMatchObject([
      { action: 'settings.team_saved', target: 'team', before: { end: 19 }, after: { end: 18 } },
      { action: 'settings.team_saved', target: 'team', before: null, after: fallback },
    ]);
  });

  test('another zone cuts every stored day again; the same zone cuts none', async () => {
    await visit.service.ask('POST', '/api/db/sync?owner=octo&repo=web', ann);
    const { store } = visit.service.app.services;
    await put(team, fallback);
    await store?.runs.recomputeDirty();
    await put(team, { ...fallback, start: 9 });
    expect(await store?.rollups.rebuilding()).toBe(false);
    await put(team, { ...fallback, timezone: 'America/New_York' });
    expect(await store?.rollups.rebuilding()).toBe(true);
    const trends = await visit.service.ask('GET', '/api/db/trends?owner=octo&repo=web', ann);
    expect(trends.body.coverage).toMatchObject({ timezone: 'America/New_York', partial: true });
    await store?.runs.recomputeDirty();
    const after = await visit.service.ask('GET', '/api/db/trends?owner=octo&repo=web', ann);
    expect(after.body.coverage.partial).toBe(false);
  });

  test('thresholds are whole numbers within their ranges', async () => {
    const good = { files_per_commit: 1, lines_per_commit: 100_000, commits_per_pr: 500 };
    const answer = await put(habits, good);
    expect(answer.body).toMatchObject({ ...good, source: 'saved', updated_by: 'ann' });
    for (const [field, value] of [
      ['files_per_commit', 0],
      ['files_per_commit', 1001],
      ['lines_per_commit', 1.5],
      ['lines_per_commit', 100_001],
      ['commits_per_pr', 0],
      ['commits_per_pr', 501],
      ['commits_per_pr', null],
    ] as const)
      expectFields(await put(habits, { ...good, [field]: value }), [field, 'invalid']);
    expect(await get(habits)).toEqual(answer.body);
    await put(habits, { ...good, commits_per_pr: 9 });
    expect((await entries()).slice(0, 2)).toMatchObject([
      { action: 'settings.working_habits_saved', before: { commits_per_pr: 500 }, after: { commits_per_pr: 9 } },
      { target: 'working_habits', before: null, after: good },
    ]);
  });

  test('only administrators read and save them', async () => {
    await visit.service.signIn('token-ann');
    await visit.service.signIn('token-bo');
    await visit.service.ask('PUT', '/api/admin/users/102/groups', { ...ann, body: { groups: ['dev'] } });
    for (const path of [team, habits])
      for (const method of ['GET', 'PUT']) {
        const answer = await visit.service.ask(method, path, { as: 'token-bo' });
        expectProblem(answer, 403, 'forbidden');
        expect(answer.body.flag).toBe('admin');
      }
  });
});

describe('in standalone mode', () => {
  const visit = visitService({ DATABASE_URL: anyDatabase });

  test('they can be read, and not saved', async () => {
    for (const path of [team, habits]) {
      const { status, body } = await visit.service.ask('GET', path, ann);
      expect([status, body.source]).toEqual([200, 'default']);
      expectProblem(await visit.service.ask('PUT', path, { ...ann, body: body.defaults }), 403, 'org_mode_only');
    }
  });
});
