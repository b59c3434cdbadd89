import { beforeAll, describe, expect, test } from 'vitest';
import { settle } from '../../access/personas.ts';
import { expectProblem, freshService } from '../../api/endpoints.ts';
import { storedService } from '../../api/stored.ts';
import { aJob, aRun, day, minute } from '../../metrics/worlds.ts';
import { repository } from '../../store/world.ts';
import { aDatabase } from '../../support/a-database.ts';
import { advised, settledPlan, storeAdvised, workflowText } from './advised-world.ts';

const path = '/api/advisor/recommendations?owner=octo&repo=advised';

interface Item {
  id: string;
  kind: string;
  finding: { text: string; sample: number };
  html_url: string;
}

aDatabase((database) => {
  const visit = storedService(database);
  const ask = (query = '', as = 'token-ann') => visit.service.ask('GET', `${path}${query}`, { as });
  const kindsOf = (items: Item[]) => items.map(({ kind }) => kind);

  beforeAll(() => storeAdvised(visit.service));

  test('count stored runs of the usable window', async () => {
    const { status, body } = await ask();
    expect(status).toBe(200);
    expect(body.window).toMatchObject({ covered_days: 30, left_out_days: [] });
    expect(body.history).toEqual({ state: 'ready', covered_days: 30, attempts_known: 36, attempts_expected: 36 });
    expect(body.recommendations.map(({ kind, finding }: Item) => [kind, finding.text])).toEqual([
      ['ADV-01', '6 of 36 pull-request runs were replaced by a newer one before they ended.'],
      ['ADV-05', expect.stringContaining('36 passing jobs “test” took at most 10.0 min')],
      ['ADV-20', expect.any(String)],
      ['ADV-22', expect.any(String)],
    ]);
    expect(body.recommendations[0].html_url).toMatch(/\/blob\/[0-9a-f]{40}\/\.github\/workflows\/ci\.yml#L2$/);
    expect(kindsOf(body.not_offered)).toEqual(['ADV-21']);
    expect(body.not_offered[0].reasons).toEqual([{ code: 'reference_unknown', text: expect.any(String) }]);
  });

  test('name nobody who caused a run', async () => {
    const { body } = await ask();
    const detail = await visit.service.ask(
      'GET',
      `/api/advisor/recommendation?owner=octo&repo=advised&id=${body.recommendations[0].id}`,
      { as: 'token-ann' },
    );
    expect(JSON.stringify([body, detail.body])).not.toMatch(/"(actor|login)/);
    expect(detail.body.evidence.runs.length).toBe(6);
    expect(detail.body.evidence.runs[0]).toMatchObject({
      run_id: 90_050,
      run_number: 90_050,
      attempt: 1,
      conclusion: 'success',
    });
  });

  test('are filtered by kind and file', async () => {
    expect(kindsOf((await ask('&kind=ADV-05')).body.recommendations)).toEqual(['ADV-05']);
    expect(kindsOf((await ask('&workflow=ci.yml')).body.recommendations).length).toBe(4);
    expect(kindsOf((await ask('&workflow=i.yml')).body.recommendations)).toEqual([]);
  });

  test('a shorter window counts fewer runs', async () => {
    const { body } = await ask('&days=28&kind=ADV-01');
    expect(body.window.covered_days).toBe(28);
    expect(body.recommendations.concat(body.not_offered)[0].finding.sample).toBe(33);
  });

  test('can be had as CSV', async () => {
    const { headers, text: csv } = await visit.service.ask('GET', `${path}&format=csv`, { as: 'token-ann' });
    expect(headers.get('content-type')).toContain('text/csv');
    const [head, first, ...others] = String(csv).trim().split('\r\n');
    expect(head).toBe(
      'id,kind,title,workflow_path,line,state,certainty,predicted,reduction_low_pct,reduction_high_pct,minutes_saved_low,minutes_saved_high,cost_saved_low,cost_saved_high,wall_p50_low_s,wall_p50_high_s,finding,sample,reason,pull_request_url,pull_request_state,verdict',
    );
    expect(first).toContain(',ADV-01,Cancel superseded runs,.github/workflows/ci.yml,2,open,recorded,');
    expect(others.length).toBe(4);
  });

  test('are patched, together and each by itself, as JSON and as a file', async () => {
    const { body } = await ask();
    const ids = body.recommendations.map(({ id }: Item) => id);
    const at = (query: string) =>
      visit.service.ask('GET', `/api/advisor/patch?owner=octo&repo=advised&ids=${query}`, { as: 'token-ann' });
    const all = await at(ids.join());
    expect([all.body.ids, all.body.refused]).toEqual([ids, []]);
    expect(all.body.files[0].diff).toContain('+    timeout-minutes: 30');
    expect(all.body.files[0].edits.map(({ kind }: { kind: string }) => kind).sort()).toEqual([
      'ADV-01',
      'ADV-05',
      'ADV-20',
      'ADV-22',
    ]);
    expect(all.headers.get('cache-control')).toBe('private, no-cache');
    const again = await visit.service.ask('GET', `/api/advisor/patch?owner=octo&repo=advised&ids=${ids.join()}`, {
      as: 'token-ann',
      headers: { 'if-none-match': all.headers.get('etag') ?? '' },
    });
    expect([again.status, again.text]).toEqual([304, '']);
    const file = await at(`${ids[0]}&format=patch`);
    expect(file.headers.get('content-type')).toBe('text/x-patch; charset=utf-8');
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="advised-advisor.patch"');
    expect(file.text).toContain('+  cancel-in-progress: true');
    const detail = await visit.service.ask('GET', `/api/advisor/recommendation?owner=octo&repo=advised&id=${ids[1]}`, {
      as: 'token-ann',
    });
    expect(detail.body).toMatchObject({ diff: expect.stringContaining('+    timeout-minutes: 30'), refused: null });
    expectProblem(await at('0123456789abcdef'), 404, 'not_found');
    expectProblem(await at(`${ids[0]},x`), 400, 'invalid_request');
    expectProblem(await at(Array(21).fill(ids[0]).join()), 400, 'invalid_request');
    expect((await at(`${ids[1]},${ids[1]}`)).body.ids).toEqual([ids[1]]);
    expect((await at(ids[0])).body.effect).toEqual(body.recommendations[0].effect);
    const security = body.recommendations.find(({ kind }: Item) => kind === 'ADV-22');
    expect((await at(security.id)).body.effect).toMatchObject({ predicted: false, reason: null });
    expect(all.body.effect.history).toMatchObject({ minutes_before: 306, minutes_after: 282 });
    expect(all.body.checks).toEqual({
      finding_gone: true,
      new_findings: 0,
      only_intended: true,
      parses: true,
      idempotent: true,
    });
    const [notOffered] = body.not_offered;
    const refusal = { code: 'reference_unknown', text: expect.any(String), path: null, lines: [] };
    expect((await at(`${ids[0]},${notOffered.id}`)).body.refused).toEqual([{ id: notOffered.id, refusal }]);
    const none = await at(notOffered.id);
    expectProblem(none, 409, 'patch_refused');
    const { code, text } = refusal;
    expect(none.body.details).toEqual({ refused: [{ id: notOffered.id, code, text }] });
  });

  test('tell what they save, with the minutes of each run', async () => {
    const { body } = await ask('&kind=ADV-01');
    // 30 runs of ten minutes, six of which would end ten seconds after the fifth, and six of one minute.
    expect(body.calibration).toMatchObject({ state: 'ok', minutes_recorded: 306, minutes_replayed: 306, failures: [] });
    const [{ id, effect, ...first }] = body.recommendations;
    expect(first).toMatchObject({ lost_runs: 0, unmapped_jobs_pct: 0, verdict: null });
    expect([body.period_days, body.period_shortened]).toEqual([90, false]);
    expect(effect).toMatchObject({
      predicted: true,
      reason: null,
      history: { minutes_before: 306, minutes_after: 282, reduction_pct: 7.8 },
      unit_label: 'pull-request updates',
    });
    const { minutes_saved: saved, reduction_pct: reduction } = effect.next_28_days;
    expect([saved.mid, reduction.mid, reduction.level]).toEqual([22, 7.8, 80]);
    expect(reduction.low).toBeGreaterThan(0);
    const detail = await visit.service.ask('GET', `/api/advisor/recommendation?owner=octo&repo=advised&id=${id}`, {
      as: 'token-ann',
    });
    expect(detail.body.evidence.runs[0]).toMatchObject({ minutes_before: 10, minutes_after: 6 });
    expect(detail.body.days.length).toBe(30);
    const { body: all } = await ask();
    expect(all.not_offered.map((one: { effect: { predicted: boolean } }) => one.effect.predicted)).toEqual([false]);
  });

  test('come to a total that their marginals add up to', async () => {
    const at = (query = '') => settledPlan(visit.service, `owner=octo&repo=advised${query}`, 'token-ann');
    const { status, body } = await at();
    expect([status, body.repositories, body.skipped]).toEqual([
      200,
      { seen: 1, judged: 1, without_history: 0, failed_calibration: 0 },
      [],
    ]);
    expect([body.rows_total, body.total.recommendations, body.hidden_kinds]).toEqual([4, 1, []]);
    expect(body.total).toMatchObject({ minutes_before: 286, minutes_saved: { mid: 22 }, per: '28 days' });
    expect(body.rows.map(({ kind, marginal }: { kind: string; marginal: unknown }) => [kind, marginal])).toEqual([
      ['ADV-01', { minutes_saved: 22, cost_saved: body.total.cost_saved.mid }],
      ['ADV-05', null],
      ['ADV-20', null],
      ['ADV-22', null],
    ]);
    expect((await ask()).body.total).toEqual(body.total);
    expect((await at('&limit=1')).body.rows.length).toBe(1);
    const { text } = await at('&format=csv');
    expect(String(text).split('\r\n')[1]).toMatch(/,22,/);
    expectProblem(await at('&limit=0'), 400, 'invalid_request');
  });

  test('a time limit is compared with all that is stored', async () => {
    const { app, clock } = visit.service;
    const known = { ...repository(advised.id, 'advised'), owner: 'octo' };
    const store = app.services.store;
    const repoId = (await store?.repositories.find(known))?.id ?? 0;
    const createdAt = clock.now() - 110 * day;
    const completedAt = createdAt + 31 * minute;
    const run = aRun({
      id: 89_000,
      event: 'push',
      headBranch: 'old',
      workflowId: 7001,
      createdAt,
      updatedAt: completedAt,
    });
    await store?.runs.ingest(repoId, [run], { syncedAt: clock.now() });
    const job = aJob({ id: 890_000, runId: 89_000, name: 'test', createdAt, startedAt: createdAt, completedAt });
    await store?.jobs.attempts.store(known, [{ runId: 89_000, attempt: 1, detail: 'full', jobs: [job] }], clock.now());
    const codes = (body: { not_offered: { kind: string; reasons: { code: string }[] }[] }) =>
      body.not_offered.flatMap(({ kind, reasons }) => reasons.map(({ code }) => [kind, code]));
    expect(codes((await ask('&kind=ADV-05')).body)).toEqual([['ADV-05', 'ended_passing']]);
  });

  test('a text that is not all of its file is none: what is no text in it comes as other characters', async () => {
    const { clock, double } = visit.service;
    const bytes = Buffer.from(`# caf\u00e9\n${workflowText}`, 'latin1');
    double.putWorkflowFile('octo/advised', '.github/workflows/ci.yml', { bytes });
    clock.advance(5 * minute);
    const { body } = await ask();
    expect(body.skipped_files).toEqual([{ path: '.github/workflows/ci.yml', reason: 'binary' }]);
    expect([body.recommendations, body.not_offered]).toEqual([[], []]);
    double.putWorkflowFile('octo/advised', '.github/workflows/ci.yml', workflowText);
    clock.advance(5 * minute);
  });

  test('files in which nothing was looked for are named, and nothing is recommended for an archived repository', async () => {
    const { double, clock } = visit.service;
    double.putWorkflowFile('octo/advised', '.github/workflows/broken.yml', 'on: [');
    double.putWorkflowFile('octo/advised', '.github/workflows/huge.yml', { isTruncated: true });
    clock.advance(5 * minute);
    const { body } = await ask();
    expect([body.files, body.archived, body.skipped_files]).toEqual([
      3,
      false,
      [
        { path: '.github/workflows/broken.yml', reason: 'invalid' },
        { path: '.github/workflows/huge.yml', reason: 'too large' },
      ],
    ]);
    const archived = await visit.service.ask('GET', '/api/advisor/recommendations?owner=octo&repo=old', {
      as: 'token-ann',
    });
    expect(archived.body).toMatchObject({ archived: true, recommendations: [], not_offered: [], skipped_files: [] });
  });

  test('one that is not there is not found, nor is any of a repository that cannot be seen', async () => {
    const at = (query: string) => visit.service.ask('GET', `/api/advisor/recommendation?${query}`, { as: 'token-ann' });
    expectProblem(await at('owner=octo&repo=advised&id=0123456789abcdef'), 404, 'not_found');
    expectProblem(await at('owner=octo&repo=nowhere&id=0123456789abcdef'), 404, 'not_found');
    expectProblem(await at('owner=octo&repo=advised&id=x'), 400, 'invalid_request');
  });
});

describe('in an organization', () => {
  const visit = freshService({ MODE: 'organization', SERVICE_ALLOWED_ORGS: 'octo', ACCESS_ENFORCEMENT: 'on' });

  test('security is left out without its feature, and everything without that of recommendations', async () => {
    const { service } = visit;
    const tokens = await settle(service);
    await storeAdvised(service);
    const ask = (as: string) => service.ask('GET', '/api/advisor/recommendations?owner=octo&repo=advised', { as });
    const certainties = async (as: string) => {
      const { body } = await ask(as);
      return {
        shown: [...body.recommendations, ...body.not_offered].some(({ certainty }) => certainty === 'risk'),
        hidden: body.hidden_kinds.length > 0,
      };
    };
    expect(await certainties(tokens['in dev'])).toEqual({ shown: true, hidden: false });
    expect(await certainties(tokens['in pm'])).toEqual({ shown: false, hidden: true });
    for (const scope of ['owner=octo&repo=advised', 'org=octo'])
      for (const [group, hidden] of [
        ['in dev', []],
        ['in pm', ['ADV-20', 'ADV-22']],
        ['in dev', []],
      ] as const) {
        const { body } = await settledPlan(service, scope, tokens[group] ?? '');
        const isSecurity = ({ certainty }: { certainty: string }) => certainty === 'risk';
        expect([scope, group, body.hidden_kinds, body.rows.filter(isSecurity).length]).toEqual([
          scope,
          group,
          hidden,
          2 - hidden.length,
        ]);
      }
    const by = { actor: { id: null, login: 'system' }, requestId: null, now: service.clock.now() };
    await service.app.services.store?.permissions.set({ group: 'pm', flag: 'ciAdvisor', granted: false }, by);
    service.clock.advance(minute);
    expectProblem(await ask(tokens['in pm']), 403, 'forbidden');
  });

  test('cost is left out without its feature, in the order, too', async () => {
    const { service } = visit;
    const tokens = await settle(service);
    await storeAdvised(service);
    const by = { actor: { id: null, login: 'system' }, requestId: null, now: service.clock.now() };
    await service.app.services.store?.permissions.set({ group: 'dev', flag: 'costAnalytics', granted: true }, by);
    await service.app.services.store?.permissions.set({ group: 'pm', flag: 'costAnalytics', granted: false }, by);
    service.clock.advance(minute);
    const path = '/api/advisor/recommendations?owner=octo&repo=advised&kind=ADV-01';
    const costs = async (as: string) => {
      const { body } = await service.ask('GET', path, { as });
      const [{ effect }] = body.recommendations;
      const { text } = await service.ask('GET', `${path}&format=csv`, { as });
      const [head = '', row = ''] = String(text)
        .split('\r\n')
        .map((line) => line.split(','));
      return {
        isHidden: body.cost_hidden,
        known: [effect.history.cost_before, effect.history.cost_after, effect.next_28_days.cost_saved].map(
          (cost) => cost !== null,
        ),
        inCsv: row[head.indexOf('cost_saved_low')] !== '',
      };
    };
    expect(await costs(tokens['in dev'])).toEqual({ isHidden: false, known: [true, true, true], inCsv: true });
    expect(await costs(tokens['in pm'])).toEqual({ isHidden: true, known: [false, false, false], inCsv: false });
    const planned = async (as: string) => {
      const { body } = await settledPlan(service, 'owner=octo&repo=advised', as);
      const [{ alone, marginal }] = body.rows;
      return [body.total.cost_saved, alone.cost_saved, marginal.cost_saved].map((cost) => cost !== null);
    };
    expect(await planned(tokens['in dev'])).toEqual([true, true, true]);
    expect(await planned(tokens['in pm'])).toEqual([false, false, false]);
  });
});
