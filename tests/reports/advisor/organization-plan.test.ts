import { beforeAll, describe, expect, test } from 'vitest';
import { advisorJudge } from '../../../jobs/advisor-judge.ts';
import { runJob } from '../../../jobs/run-job.ts';
import { expectFields, expectProblem } from '../../api/endpoints.ts';
import { storedService } from '../../api/stored.ts';
import { day } from '../../metrics/worlds.ts';
import { aDatabase } from '../../support/a-database.ts';
import { startService } from '../../support/service.ts';
import { storeAdvised } from './advised-world.ts';
import { opens, preview, writer } from './opened-pull-requests.ts';

const path = '/api/advisor/plan?org=octo';

interface Row {
  repo: string;
  id: string;
  kind: string;
  marginal: { minutes_saved: number } | null;
}

interface Skipped {
  repo: string;
  reason: { code: string };
}

aDatabase((database) => {
  const visit = storedService(database);
  const ask = async (query = '', as = 'token-ann') => visit.service.ask('GET', `${path}${query}`, { as });
  /** What is answered once nothing is judged behind an answer any more. */
  const settled = async (as = 'token-ann') => {
    await ask('', as);
    await visit.service.app.services.background.ended();
    return (await ask('', as)).body;
  };
  const reasonOf = ({ skipped }: { skipped: Skipped[] }, repo: string) =>
    skipped.find((one) => one.repo === repo)?.reason.code;

  beforeAll(() => storeAdvised(visit.service));

  test('is not known before a repository was judged, which is done behind the answer', async () => {
    const first = await ask();
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({ scope: { org: 'octo', owner: null, repo: null }, total: null, as_of: null });
    expect(reasonOf(first.body, 'octo/advised')).toBe('pending');
    const body = await settled();
    expect(reasonOf(body, 'octo/advised')).toBeUndefined();
    expect(body.repositories.judged).toBe(1);
    expect(body.as_of).toEqual(expect.any(String));
  });

  test('is that of its repositories, as each says itself', async () => {
    const { total, rows, repositories, skipped } = await settled();
    const own = (await visit.service.ask('GET', '/api/advisor/plan?owner=octo&repo=advised', { as: 'token-ann' })).body;
    expect({ total, rows }).toEqual({ total: own.total, rows: own.rows });
    expect(total).toMatchObject({ per: '28 days', recommendations: expect.any(Number) });
    expect(rows.reduce((sum: number, { marginal }: Row) => sum + (marginal?.minutes_saved ?? 0), 0)).toBe(
      total.minutes_saved.mid,
    );
    expect(repositories.seen).toBe(repositories.judged + skipped.length);
    expect(reasonOf({ skipped }, 'octo/web')).toBe('history_absent');
  });

  test('requests nothing but what the caller may see', async () => {
    await settled();
    visit.service.app.services.reusedAnswers.clear();
    visit.service.clock.advance(60_000);
    visit.service.double.requests.length = 0;
    const { body } = await ask();
    expect(body.total).not.toBeNull();
    expect(visit.service.double.requests.length).toBeLessThanOrEqual(1);
  });

  test('holds nothing of a repository that the caller cannot see', async () => {
    const body = await settled('token-bo');
    const hidden = (await settled()).repositories.seen - body.repositories.seen;
    expect(hidden).toBeGreaterThan(0);
    expect(JSON.stringify(body)).not.toContain('secret');
  });

  test('follows a dismissal and its end', async () => {
    const { rows, total } = await settled();
    const [{ id }] = rows;
    const place = { owner: 'octo', repo: 'advised', id };
    const dismissed = await visit.service.ask('POST', '/api/advisor/dismissals', {
      as: 'token-ann',
      body: { ...place, reason: 'wanted' },
    });
    expect(dismissed.status).toBe(200);
    const left = await settled();
    expect(left.repositories.judged).toBe(1);
    expect(left.rows.map((row: Row) => row.id)).toEqual(rows.slice(1).map((row: Row) => row.id));
    await visit.service.ask('DELETE', `/api/advisor/dismissals?${new URLSearchParams(place)}`, { as: 'token-ann' });
    expect(await settled()).toMatchObject({ rows, total });
  });

  test('is judged again after a day', async () => {
    const before = (await settled()).as_of;
    visit.service.clock.advance(25 * 3_600_000);
    expect((await settled()).as_of).toBe(before);
    visit.service.clock.advance(2 * 3_600_000);
    await ask();
    expect(Date.parse((await settled()).as_of)).toBe(visit.service.clock.now());
  });

  test('can be had as CSV, and in part', async () => {
    await settled();
    const csv = String((await ask('&format=csv')).text);
    expect(csv.split('\r\n')[0]).toBe(
      'owner,repo,id,workflow_path,anchor,kind,title,certainty,shortens_runs,costs_less,state,href,minutes_saved_low,minutes_saved_high,cost_saved_low,cost_saved_high,marginal_minutes,marginal_cost',
    );
    const { rows, rows_total: all } = (await ask('&limit=1')).body;
    expect(rows.length).toBe(1);
    expect(all).toBeGreaterThan(1);
  });

  test('its rows are filtered, its total is of all', async () => {
    const { rows, total, facets } = await settled();
    expect(facets.repository).toEqual([{ value: 'advised', rows: rows.length }]);
    expect(facets.state).toEqual([{ value: 'open', rows: rows.length }]);
    for (const { value, title, rows: matching } of facets.kind) {
      const { body } = await ask(`&kind=${value}&repository=ADVISED`);
      expect(body).toMatchObject({ rows_total: matching, total });
      expect(body.rows).toEqual(rows.filter(({ kind }: Row) => kind === value));
      expect(new Set(body.rows.map((row: { title: string }) => row.title))).toEqual(new Set([title]));
    }
    expect((await ask('&repository=web')).body).toMatchObject({ rows: [], rows_total: 0, total });
    expect((await ask('&state=merged')).body).toMatchObject({ rows: [], facets: { repository: [{ rows: 0 }] } });
  });

  test('says what is in a pull request already', async () => {
    visit.service.double.world.tokens.push(writer);
    const opened = await opens(visit.service)({ ...(await preview(visit.service)) });
    expect(opened.status).toBe(201);
    const { rows, facets } = await settled();
    const pending = rows.filter(({ state }: { state: string }) => state === 'in_pull_request');
    expect(pending.map(({ kind }: Row) => kind)).toEqual(['ADV-01']);
    expect(facets.state).toEqual([
      { value: 'open', rows: rows.length - 1 },
      { value: 'in_pull_request', rows: 1 },
    ]);
  });

  test.each([
    ['', ['org', 'missing']],
    ['?owner=octo', ['repo', 'missing']],
    ['?repo=web', ['owner', 'missing']],
    ['?org=octo&repo=web', ['org', 'invalid']],
    ['?org=octo&owner=octo&repo=web', ['org', 'invalid']],
  ] as const)('is of one scope, not of "%s"', async (query, [field, reason]) => {
    expectFields(await visit.service.ask('GET', `/api/advisor/plan${query}`, { as: 'token-ann' }), [field, reason]);
  });

  test('of an organization that there is none of is not found', async () => {
    const { status } = await visit.service.ask('GET', '/api/advisor/plan?org=nobody-here', { as: 'token-ann' });
    expect(status).toBe(404);
  });
});

describe('by night', () => {
  aDatabase((database) => {
    test('the service judges every synchronized repository with its own token', async () => {
      const service = await startService({ DATABASE_URL: await database.migrated(), CODEHOST_TOKEN: 'token-ann' });
      try {
        await storeAdvised(service);
        const start = { slot: 'night', trigger: 'http', stopping: new AbortController().signal } as const;
        const end = await runJob(advisorJudge, service.app.services, start);
        expect(end?.outcome).toMatchObject({ partial: false, summary: { repositories: 1, failed: 0, remaining: 0 } });
        const { store, clock } = service.app.services;
        const stored = await store?.advisorTotals.ofTracked([90_900]);
        expect([...(stored?.values() ?? [])]).toEqual([
          { asOf: clock.now(), plan: expect.objectContaining({ reason: null }) },
        ]);
        // An older judgement that ends later does not replace it.
        const known = await store?.repositories.tracked('octo');
        const older = {
          asOf: clock.now() - day,
          plan: { reason: 'too_large' as const, total: null, days: [], rows: [] },
        };
        await store?.advisorTotals.put(known?.[0]?.id ?? 0, older);
        expect(await store?.advisorTotals.ofTracked([90_900])).toEqual(stored);
        // Nor does one that was begun before somebody dismissed something.
        const list = '/api/advisor/recommendations?owner=octo&repo=advised';
        const [{ id }] = (await service.ask('GET', list, { as: 'token-ann' })).body.recommendations;
        service.clock.advance(1000);
        const body = { owner: 'octo', repo: 'advised', id, reason: 'wanted' };
        await service.ask('POST', '/api/advisor/dismissals', { as: 'token-ann', body });
        const [before] = stored?.values() ?? [];
        const repoId = known?.[0]?.id ?? 0;
        const plan = async () => [...((await store?.advisorTotals.ofTracked([90_900])) ?? [])];
        if (before) await store?.advisorTotals.put(repoId, before);
        expect(await plan()).toEqual([[90_900, null]]);
        // Nor one that was begun before somebody changed the settings.
        const begun = before && { ...before, asOf: clock.now() };
        service.clock.advance(1000);
        await store?.advisorTotals.forget(clock.now());
        if (begun) await store?.advisorTotals.put(repoId, begun);
        expect(await plan()).toEqual([[90_900, null]]);
        if (begun) await store?.advisorTotals.put(repoId, { ...begun, asOf: clock.now() });
        expect(await plan()).toEqual([[90_900, { ...begun, asOf: clock.now() }]]);
      } finally {
        await service.close();
      }
    });
  });

  test('without a database there is no plan of an organization', async () => {
    const service = await startService({ DATABASE_URL: '' });
    try {
      expectProblem(await service.ask('GET', path, { as: 'token-ann' }), 503, 'db_not_configured');
    } finally {
      await service.close();
    }
  });
});
