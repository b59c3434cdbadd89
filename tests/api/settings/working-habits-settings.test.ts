import { describe, expect, test } from 'vitest';
import { anyDatabase } from '../../support/service.ts';
import { expectProblem, freshService } from '../endpoints.ts';

const defaults = { files_per_commit: 20, lines_per_commit: 400, commits_per_pr: 20 };
const path = '/api/settings/working-habits';

describe('without a database', () => {
  const visit = freshService();

  test('the thresholds in effect are the defaults, and nothing can be saved', async () => {
    const { status, body } = await visit.service.ask('GET', path, { as: 'token-ann' });
    expect(status).toBe(200);
    expect(body).toEqual({
      ...defaults,
      defaults,
      source: 'default',
      updated_by: null,
      updated_at: null,
      version: 0,
      db_available: false,
    });
  });

  test('a stranger learns nothing', async () => {
    expectProblem(await visit.service.ask('GET', path), 401, 'unauthenticated');
  });
});

describe('with a database', () => {
  const visit = freshService({ DATABASE_URL: anyDatabase });

  test('it is said that they could be saved', async () => {
    const { body } = await visit.service.ask('GET', path, { as: 'token-ann' });
    expect(body).toMatchObject({ ...defaults, source: 'default', db_available: true });
  });

  const save = (value: object) =>
    visit.service.app.services.store?.settings.put('working_habits', {
      value,
      by: { actor: { id: 101, login: 'ann' }, requestId: null, now: visit.service.clock.now() },
    });

  test('what was saved is in effect, with who saved it', async () => {
    await save({ files_per_commit: 5, lines_per_commit: 100, commits_per_pr: 9 });
    const { body } = await visit.service.ask('GET', path, { as: 'token-ann' });
    expect(body).toEqual({
      files_per_commit: 5,
      lines_per_commit: 100,
      commits_per_pr: 9,
      defaults,
      source: 'saved',
      updated_by: 'ann',
      updated_at: '2026-11-16T10:00:00.000Z',
      version: 1,
      db_available: true,
    });
  });

  test.each([{ files_per_commit: 0 }, { lines_per_commit: 1.5 }, { commits_per_pr: 501 }])(
    '%o was never allowed: defaults are used',
    async (wrong) => {
      await save({ ...defaults, ...wrong });
      const { body } = await visit.service.ask('GET', path, { as: 'token-ann' });
      expect(body).toMatchObject({ ...defaults, source: 'default' });
    },
  );
});
