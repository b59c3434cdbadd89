import { beforeAll, describe, expect, test } from 'vitest';
import { expectFields, expectProblem, freshService } from '../../api/endpoints.ts';
import { storedService } from '../../api/stored.ts';
import type { MadeCommit } from '../../metrics/habit-worlds.ts';
import { shaOf } from '../../store/stored-habits.ts';
import { aDatabase } from '../../support/a-database.ts';
import type { Service } from '../../support/service.ts';
import { day } from '../workload/workload-world.ts';
import { aCommit, aMerge, askHabits, keep, web } from './habit-builders.ts';

const many = (count: number, commit: MadeCommit) => Array.from({ length: count }, () => commit);
const empty = { people: [], totals: null, scope: 'all' };

describe('where nothing is stored', () => {
  const visit = freshService();

  test('without a database it says so, and asks nothing of the platform', async () => {
    const { service } = visit;
    await service.signIn('token-ann');
    service.double.requests.length = 0;
    const { status, body } = await askHabits(service, 'owner=octo');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...empty,
      available: false,
      untrackedRepo: false,
      days: 30,
      owner: 'octo',
      repo: null,
    });
    expect(body.thresholds).toEqual({ filesPerCommit: 20, linesPerCommit: 400, commitsPerPr: 20 });
    expect(body.coverage).toMatchObject({ reposTracked: 0, prsMerged: 0, syncedThrough: null, partial: true });
    expect(service.double.requests).toEqual([]);
  });

  test('days is 30 or 90', async () => {
    expectFields(await askHabits(visit.service, 'owner=octo&days=45'), ['days', 'invalid']);
  });
});

aDatabase((database) => {
  describe('for whoever may see everybody', () => {
    const visit = storedService(database);
    let service: Service;
    let now: number;
    let webId: number;
    beforeAll(async () => {
      service = visit.service;
      now = service.clock.now();
      const by = { actor: { id: 101, login: 'ann' }, requestId: null, now };
      await service.app.services.store?.identity.link({ alias: 'ana-old', primary: 'ana' }, by);
    });

    test('a repository that is not synchronized is said to be untracked', async () => {
      const { body } = await askHabits(service, web);
      expect(body).toMatchObject({ ...empty, available: true, untrackedRepo: true, owner: 'octo', repo: 'web' });
      expect((await askHabits(service, 'owner=octo')).body).toMatchObject({ untrackedRepo: false, people: [] });
    });

    test('people, with linked accounts as one, their sizes, and what is known', async () => {
      const big = aMerge(
        'ana',
        now - 2 * day,
        aCommit('ana', 401),
        aCommit('ana-old', 400),
        aCommit('ana', 1, { files: 21 }),
      );
      const long = aMerge(
        'ben',
        now - day,
        ...many(21, aCommit('ben')),
        aCommit(null, 5),
        aCommit('ben', 9, { additions: null }),
      );
      const others = [
        aMerge('dependabot[bot]', now - day, aCommit('ana', 9999)),
        aMerge(
          'ben',
          now - day,
          aCommit('renovate[bot]', 9999),
          aCommit('ben', 9999, { isMerge: true }),
          aCommit('ben', 5, { files: 20 }),
        ),
        { ...aMerge('cy', now - 3 * day, aCommit('cy')), isRead: false },
        { ...aMerge('cy', now - 3 * day, aCommit('cy')), isTruncated: true },
        aMerge('old', now - 30 * day - 1, aCommit('old')),
        aMerge('soon', now, aCommit('soon')),
      ];
      const { store, facts, repoId } = await keep(service, 'octo/web', [big, long, ...others]);
      webId = repoId;
      await store.pullRequestCommits.readThrough(repoId, now - day);
      const { status, body } = await askHabits(service, web);
      expect(status).toBe(200);
      expect(body).toMatchObject({ available: true, untrackedRepo: false, scope: 'all', days: 30 });
      expect([body.from, body.to]).toEqual([now - 30 * day, now].map((at) => new Date(at).toISOString()));
      const rows = Object.fromEntries(body.people.map((row: { login: string }) => [row.login, row]));
      expect(body.people.map(({ login }: { login: string }) => login)).toEqual(['ana', 'ben', 'cy', 'Kim']);
      expect(rows.ana).toMatchObject({
        linkedLogins: ['ana-old'],
        unlinkedName: false,
        prsMerged: 1,
        commits: 3,
        commitsMeasured: 3,
        medianFilesPerCommit: 1,
        medianLinesPerCommit: 400,
        oversizedCommits: 2,
        oversizedCommitPct: 66.67,
        medianCommitsPerPr: 3,
        medianLinesPerPr: 42,
        oversizedPrs: 0,
        oversizedPrPct: 0,
      });
      expect(rows.ana.largest[0]).toEqual({
        kind: 'commit',
        repo: 'octo/web',
        number: big.number,
        sha: shaOf(facts.id, big.number, 2),
        files: 21,
        lines: 1,
        commits: null,
        commitsTruncated: false,
        mergedAt: new Date(now - 2 * day).toISOString(),
      });
      expect(rows.ben).toMatchObject({
        prsMerged: 2,
        commits: 23,
        commitsMeasured: 22,
        oversizedCommits: 0,
        oversizedCommitPct: 0,
        oversizedPrs: 1,
        oversizedPrPct: 50,
      });
      expect(rows.ben.largest[0]).toMatchObject({ kind: 'pr', number: long.number, sha: null, commits: 23, lines: 42 });
      expect(rows.Kim).toMatchObject({ unlinkedName: true, prsMerged: 0, commits: 1 });
      expect(rows.cy).toMatchObject({ prsMerged: 2, commits: 1, medianCommitsPerPr: null, oversizedPrPct: null });
      expect(body.totals).toEqual({
        prsMerged: 5,
        commits: 28,
        commitsMeasured: 27,
        prsMeasured: 3,
        oversizedCommits: 2,
        oversizedCommitPct: 7.41,
        oversizedPrs: 1,
        oversizedPrPct: 33.33,
      });
      expect(body.coverage).toEqual({
        reposTracked: 1,
        reposSynced: 1,
        prsMerged: 5,
        prsSynced: 4,
        prsTruncated: 1,
        commitsUnmeasured: 1,
        syncedThrough: new Date(now - day).toISOString(),
        lastRunAt: null,
        upToDate: true,
        partial: true,
      });
    });

    test('is incomplete once the last complete reading is older than a night', async () => {
      const { store } = service.app.services;
      if (!store) throw new Error('This service has no database.');
      const coverage = async () => (await askHabits(service, `${web}&login=ana`)).body.coverage;
      expect(await coverage()).toMatchObject({ upToDate: true, partial: false });
      await store.pullRequestCommits.readThrough(webId, now - 36 * 3_600_000 - 1);
      expect(await coverage()).toMatchObject({ reposSynced: 1, prsSynced: 1, upToDate: false, partial: true });
      await store.pullRequestCommits.readThrough(webId, now - day);
    });

    test('one person is found by any of their logins, and the numbers are theirs', async () => {
      for (const login of ['ana', 'ANA-old']) {
        const { body } = await askHabits(service, `${web}&login=${login}`);
        expect(body.people.map((row: { login: string }) => row.login)).toEqual(['ana']);
        expect(body.totals).toMatchObject({ prsMerged: 1, commits: 3 });
        expect(body.coverage).toMatchObject({ prsMerged: 1, prsSynced: 1, partial: false });
      }
      expect((await askHabits(service, `${web}&login=nobody-here`)).body).toMatchObject({ people: [], scope: 'all' });
      expect((await askHabits(service, `${web}&login=dependabot[bot]`)).body.people).toEqual([]);
    });

    test('the window is by merge; another threshold reports at once', async () => {
      const { body } = await askHabits(service, `${web}&days=90`);
      expect(body.people.map(({ login }: { login: string }) => login)).toContain('old');
      expect(body.people.map(({ login }: { login: string }) => login)).not.toContain('soon');
      const by = { actor: { id: 101, login: 'ann' }, requestId: null, now };
      const value = { files_per_commit: 999, lines_per_commit: 399, commits_per_pr: 2 };
      await service.app.services.store?.settings.put('working_habits', { value, by });
      const after = (await askHabits(service, web)).body;
      expect(after.thresholds).toEqual({ filesPerCommit: 999, linesPerCommit: 399, commitsPerPr: 2 });
      expect(after.totals).toMatchObject({ oversizedCommits: 2, oversizedPrs: 2 });
    });

    test('an owner is what is tracked of theirs, as far as the caller sees it', async () => {
      await keep(service, 'octo/secret', [aMerge('hidden-one', now - day, aCommit('hidden-one'))]);
      const seen = async (as: string) => {
        const { body } = await askHabits(service, 'owner=OCTO', as);
        return [
          body.coverage.reposTracked,
          body.text,
          body.people.some((one: { login: string }) => one.login === 'hidden-one'),
        ];
      };
      expect(await seen('token-ann')).toEqual([2, undefined, true]);
      expect(await seen('token-bo')).toEqual([1, undefined, false]);
      expectProblem(await askHabits(service, 'owner=octo&repo=secret', 'token-bo'), 404, 'not_found');
      expect((await askHabits(service, 'owner=octo', 'token-bo')).text).not.toContain('hidden');
    });

    test('as a table it has a line for each person', async () => {
      const { headers, text } = await askHabits(service, `${web}&format=csv`);
      expect(headers.get('content-type')).toMatch(/^text\/csv/);
      expect(text).toMatch(/^\ufeff?login,linkedLogins,unlinkedName,prsMerged,commits,/);
      expect(text.trim().split('\r\n')).toHaveLength(1 + 4);
    });

    test('while the platform cannot be queried nothing is shown', async () => {
      service.clock.advance(6 * 60_000);
      service.double.fault({ times: 99 }, { kind: 'status', status: 503 });
      expectProblem(await askHabits(service, web), 503, 'authz_unavailable');
    });
  });
});
