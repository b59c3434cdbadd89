import { beforeAll, expect, test } from 'vitest';
import { advisorVerdicts } from '../../../jobs/advisor-verdicts.ts';
import { runJob } from '../../../jobs/run-job.ts';
import { addRule, servicesOf } from '../../alerts/stage.ts';
import { expectFields, expectProblem } from '../../api/endpoints.ts';
import { storedService } from '../../api/stored.ts';
import { bearerOf } from '../../codehost-double/platform-token.ts';
import { repositoryOf } from '../../codehost-double/world.ts';
import { aJob, aRun, day, hour, minute } from '../../metrics/worlds.ts';
import { repository } from '../../store/world.ts';
import { aDatabase } from '../../support/a-database.ts';
import { advised, storeAdvised, workflowText } from './advised-world.ts';
import { file, opens, preview, writer } from './opened-pull-requests.ts';

const changed = workflowText.replace('jobs:\n', 'concurrency:\n  group: ci\n  cancel-in-progress: true\njobs:\n');

aDatabase((database) => {
  const visit = storedService(database, { CODEHOST_TOKEN: 'token-ann' });
  let nights = 0;

  async function night() {
    const start = { slot: `night ${nights++}`, trigger: 'internal', stopping: new AbortController().signal } as const;
    const ended = await runJob(advisorVerdicts, visit.service.app.services, start);
    expect(ended?.error).toBeNull();
    return ended?.outcome?.summary;
  }

  const place = 'owner=octo&repo=advised';
  const ask = (path: string) => visit.service.ask('GET', `/api/advisor/${path}`, { headers: bearerOf('token-ann') });

  /** Runs of so many days from today on: each day two updates of a pull request, of which the first ends early. */
  async function storeRuns(days: number) {
    const { store } = visit.service.app.services;
    const known = { ...repository(advised.id, 'advised'), owner: 'octo' };
    const repoId = (await store?.repositories.find(known))?.id ?? 0;
    const midnight = Math.floor(visit.service.clock.now() / day) * day;
    const runs = Array.from({ length: 2 * days }, (_unused, index) => {
      const isFirst = index % 2 === 0;
      const createdAt = midnight + Math.floor(index / 2) * day + (isFirst ? 9 : 10) * hour;
      const parts = { event: 'pull_request', headBranch: `after-${index}`, workflowId: 7001, headSha: `sha-${index}` };
      const updatedAt = createdAt + (isFirst ? 2 : 10) * minute;
      const conclusion = isFirst ? ('failure' as const) : ('success' as const);
      return aRun({ ...parts, id: 95_000 + index, createdAt, updatedAt, conclusion });
    });
    await store?.runs.ingest(repoId, runs, { syncedAt: visit.service.clock.now() });
    await store?.jobs.attempts.store(
      known,
      runs.map(({ id, createdAt, updatedAt, conclusion }) => {
        const times = { createdAt, startedAt: createdAt, completedAt: updatedAt };
        const job = aJob({ id: id * 10, runId: id, name: 'test', conclusion, ...times });
        return { runId: id, attempt: 1, detail: 'full' as const, jobs: [job] };
      }),
      visit.service.clock.now(),
    );
  }

  beforeAll(async () => {
    visit.service.double.world.tokens.push(writer);
    await storeAdvised(visit.service);
    const opened = await opens(visit.service)({ ...(await preview(visit.service)) });
    expect(opened.status).toBe(201);
    const world = repositoryOf(visit.service.double.world, 'octo/advised');
    const now = visit.service.clock.now();
    const merged = { state: 'merged', mergedAt: now, closedAt: now, updatedAt: now, mergeSha: 'b'.repeat(40) };
    Object.assign(world.pullRequests[0] ?? {}, merged);
    world.files = new Map([[file, changed]]);
  });

  test('a merge freezes what was predicted and measured before', async () => {
    expect(await night()).toMatchObject({ merged: 1, begun: 1, looked: 0, failed: 0 });
    const { body } = await ask(`results?${place}`);
    expect(body.summary).toMatchObject({ merged: 1, waiting: 1, kept: 0, minutes_saved_measured: null });
    expect(body.rows).toMatchObject([
      {
        kind: 'ADV-01',
        title: 'Cancel superseded runs',
        state: 'waiting',
        measured: null,
        promise: { low: expect.any(Number), high: expect.any(Number), level: 80 },
        sentence: expect.stringMatching(
          /^Predicted .* % fewer minutes per update\. Measuring, next look on \d+ [A-Z][a-z]{2} \d{4}\.$/,
        ),
      },
    ]);
    const { body: detail } = await ask(`verdict?${place}&id=${body.rows[0].id}`);
    expect(detail.verdict).toMatchObject({ before: { units: 30, value: 10.2 }, after: null, looks: [] });
    expect(detail.runs).toHaveLength(36);
    // Nothing is looked at before its day.
    expect(await night()).toMatchObject({ begun: 0, looked: 0 });
  });

  test('28 days after the merge it is judged by the runs since', async () => {
    await storeRuns(30);
    visit.service.clock.advance(30 * day);
    const services = servicesOf(visit.service.app);
    const rule = await addRule(services, { scope: 'repo:octo/advised', metric: 'advisor_gain_lost' });
    expect(await night()).toMatchObject({ begun: 0, looked: 1, failed: 0 });
    const repoId = (await services.store.repositories.tracked('octo'))[0]?.id ?? 0;
    const [status] = await services.store.alertRules.statuses([{ id: rule.id, freshSince: 0 }], [repoId]);
    expect(status).toMatchObject({ lastValue: 0, incomplete: null });
    const { body } = await ask(`results?${place}`);
    const [row] = body.rows;
    expect(row).toMatchObject({ state: 'kept', reason: null, measured: { level: 98 } });
    expect(row.sentence).toMatch(/Measured \d+ % fewer \(\d+ to \d+ %\), 30 before, 56 after\. Kept\.$/);
    expect(body.summary).toMatchObject({ kept: 1, waiting: 0, bands_judged: 1 });
    expect(body.summary.minutes_saved_measured.mid).toBeGreaterThan(0);
    const { body: detail } = await ask(`verdict?${place}&id=${row.id}`);
    expect(detail.verdict.looks).toMatchObject([{ day: 28, units: 56, outcome: 'kept' }]);
    const after = detail.runs.filter(({ side }: { side: string }) => side === 'after');
    const minutes = after.reduce((sum: number, run: { minutes: number }) => sum + run.minutes, 0);
    expect([after.length, minutes / 56]).toEqual([56, expect.closeTo(detail.verdict.after.value, 1)]);
    const csv = await ask(`verdict?${place}&id=${row.id}&format=csv`);
    expect(csv.text.trim().split('\n')).toHaveLength(1 + detail.runs.length);
  });

  test('an organization has the results of the repositories that the caller sees', async () => {
    const own = (await ask(`results?${place}`)).body;
    const ofOrganization = await visit.service.ask('GET', '/api/advisor/results?org=octo', { as: 'token-ann' });
    expect(ofOrganization.body).toMatchObject({ rows: own.rows, summary: own.summary, partial: false });
    expect((await ask('results?org=octo&state=kept')).body.rows).toHaveLength(1);
    const lost = (await ask('results?org=octo&state=lost')).body;
    expect(lost).toMatchObject({ rows: [], summary: { merged: 1, kept: 1 } });
    const csv = await ask('results?org=octo&format=csv');
    expect(csv.text.trim().split('\n')).toHaveLength(2);
  });

  test.each([
    ['results', 'org', 'missing'],
    ['results?owner=octo', 'repo', 'missing'],
    ['results?org=octo&repo=advised', 'org', 'invalid'],
    ['results?org=octo&state=gone', 'state', 'invalid'],
  ] as const)('%s names what is wrong: %s is %s', async (path, field, reason) => {
    expectFields(await ask(path), [field, reason]);
  });

  /** A night a week later, with this text of the workflow file. */
  async function lookAgain(text: string, state = 'active') {
    const world = repositoryOf(visit.service.double.world, 'octo/advised');
    world.files = new Map([[file, text]]);
    world.workflows = world.workflows.map((workflow) => ({ ...workflow, state }));
    visit.service.clock.advance(7 * day);
    const done = await night();
    return { done, rows: (await ask(`results?${place}`)).body.rows };
  }

  /** Stores the verdict as one of this state that is due, with what else is different. */
  async function become(state: 'waiting' | 'kept', changes: { operationId?: null; startAt?: number } = {}) {
    const { store } = visit.service.app.services;
    const repoId = (await store?.repositories.tracked('octo'))?.[0]?.id ?? 0;
    const [stored] = (await store?.advisorVerdicts.list([advised.id])) ?? [];
    if (!stored) throw new Error('There is no verdict.');
    const { operationId = stored.operationId, startAt = stored.verdict.startAt } = changes;
    const nextLook = visit.service.clock.now();
    const { withdrawnAt: _gone, ...was } = stored.verdict;
    const verdict = { ...was, startAt, state, reason: null, nextLook };
    await store?.advisorVerdicts.put(repoId, { ...stored, operationId, verdict }, nextLook);
  }

  const changedAgain = changed.replace('group: ci', 'group: ci-all');
  const looked = { looked: 1, failed: 0 };

  test.each([
    ['waiting', 'reverted', workflowText, 'active'],
    ['waiting', 'changed_again', changedAgain, 'active'],
    ['waiting', 'disabled', changed, 'disabled_manually'],
    ['kept', 'disabled', changed, 'disabled_manually'],
  ] as const)('one that is %s and no longer in place is %s', async (before, reason, text, state) => {
    await become(before);
    const { done, rows } = await lookAgain(text, state);
    expect(done).toMatchObject(looked);
    expect(rows).toMatchObject([{ state: 'cannot_tell', reason: { code: reason }, next_look: null }]);
  });

  test.each([
    ['stays', changed],
    ['is reverted', workflowText],
    ['is changed again', changedAgain],
  ])('a gain that was kept is measured on every week where the change %s', async (_title, text) => {
    await become('kept');
    const { done, rows } = await lookAgain(text);
    expect(done).toMatchObject(looked);
    expect(rows).toMatchObject([{ state: 'kept', reason: null, next_look: expect.any(String) }]);
  });

  test('a merge stands in the place of no later change of the same recommendation', async () => {
    await become('kept', { operationId: null, startAt: visit.service.clock.now() - 40 * day });
    const { rows } = (await ask(`results?${place}`)).body;
    const { done, rows: next } = await lookAgain(changed);
    expect(done).toMatchObject({ begun: 0, ...looked });
    expect(next).toMatchObject([{ merged_at: rows[0].merged_at, applied_by: 'other' }]);
  });

  test('what was not merged has no verdict', async () => {
    expectProblem(await ask(`verdict?${place}&id=0123456789abcdef`), 404, 'not_found');
    expect((await ask('results?owner=octo&repo=web')).body.rows).toEqual([]);
  });

  test('nothing is decided in a night in which not every workflow file could be read', async () => {
    await become('waiting');
    const fault = { kind: 'failing_field', field: 'Blob.text', type: 'INTERNAL' } as const;
    visit.service.double.fault({ path: '/graphql', times: 20 }, fault);
    const { done, rows } = await lookAgain(workflowText);
    expect(done).toMatchObject({ looked: 0, failed: 1 });
    expect(rows).toMatchObject([{ state: 'waiting', reason: null }]);
  });

  test('runs whose jobs are deleted are not listed, though what they cost is known', async () => {
    const { clock, app } = visit.service;
    const [{ id }] = (await ask(`results?${place}`)).body.rows;
    const sides = async () => {
      const { runs } = (await ask(`verdict?${place}&id=${id}`)).body;
      return runs.map(({ side }: { side: string }) => side);
    };
    expect(await sides()).toContain('before');
    clock.advance(121 * day);
    await app.services.store?.purge(clock.now(), { runDays: 400, mayContinue: () => true });
    expect(await sides()).toEqual([]);
  });

  test('changes of a workflow that were merged together have one result, which counts once', async () => {
    await become('kept');
    const alone = (await ask(`results?${place}`)).body;
    expect(alone.summary.minutes_saved_measured.mid).toBeGreaterThan(0);
    const { store } = visit.service.app.services;
    const repoId = (await store?.repositories.tracked('octo'))?.[0]?.id ?? 0;
    const [stored] = (await store?.advisorVerdicts.list([advised.id])) ?? [];
    if (!stored) throw new Error('There is no verdict.');
    const { id, kind, title } = stored.change;
    const change = { ...stored.change, id: 'f'.repeat(16), kind: 'ADV-06', others: [{ id, kind, title }] };
    await store?.advisorVerdicts.put(repoId, { ...stored, change }, visit.service.clock.now());
    const both = (await ask(`results?${place}`)).body;
    expect(both.summary).toEqual({ ...alone.summary, merged: 2, kept: 2 });
    expect(both.rows.find((row: { id: string }) => row.id === change.id)).toMatchObject({
      together_with: [id],
      sentence: expect.stringMatching(/^Together with “Cancel superseded runs”\. Predicted/),
    });
  });
});
