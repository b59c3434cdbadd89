import { expect, test } from 'vitest';
import { demoCodehost } from '../../server/demo/client.ts';
import { makeWorld, type WorldRepository } from '../../server/demo/world.ts';
import type { LiveWorkflowRun } from '../../server/metrics/kernel/facts.ts';
import { Problem } from '../../server/platform/problem.ts';

const morning = Date.parse('2026-11-18T03:15:00Z');
const day = 86_400_000;
const world = makeWorld({ seed: 'demo', now: morning });

const named = (repo: string) => world.repositories.find((one) => one.repository.repo === repo) as WorldRepository;
const waitOf = (run: LiveWorkflowRun) => (run.startedAt ?? 0) - run.createdAt;
const durationOf = (run: LiveWorkflowRun) => run.updatedAt - (run.startedAt ?? 0);
const everyAttempt = world.repositories.flatMap((one) => one.runs.flatMap((run) => one.attempts(run.id)));

/** A world as text, with the attempts and jobs of its newest runs. */
const bytes = (made: typeof world) =>
  JSON.stringify([
    made,
    made.repositories.map((one) =>
      one.runs.slice(0, 60).map((run) => [one.attempts(run.id), one.jobs(run.id, run.attempt)]),
    ),
  ]);

test('one UTC day gives the same bytes, another day or seed gives others', () => {
  const first = bytes(world);
  expect(bytes(makeWorld({ seed: 'demo', now: morning }))).toBe(first);
  expect(bytes(makeWorld({ seed: 'demo', now: Date.parse('2026-11-18T23:59:59Z') }))).toBe(first);
  expect(bytes(makeWorld({ seed: 'demo', now: morning + day }))).not.toBe(first);
  expect(bytes(makeWorld({ seed: 'other', now: morning }))).not.toBe(first);
});

test.each([0, 1, 2, 3, 4, 5, 6].map((later) => morning + later * day))(
  'checks of a default branch say what its latest runs say, whatever the day (%d)',
  (now) => {
    for (const { state, workflows, runs } of makeWorld({ seed: 'demo', now }).repositories) {
      const failed = workflows.filter(({ id, state: ofWorkflow }) => {
        const decided = runs.find(
          (run) =>
            run.workflowId === id &&
            run.headBranch === 'main' &&
            /^(success|failure|timed_out)$/.test(`${run.conclusion}`),
        );
        return ofWorkflow === 'active' && decided && decided.conclusion !== 'success';
      });
      expect([state.repo, state.headStatus === 'failure']).toEqual([state.repo, failed.length > 0]);
    }
  },
);

test('there are eight repositories of different character', () => {
  expect(world.repositories.map((one) => one.repository.repo)).toHaveLength(8);
  expect(named('tidewater-web').runs.length).toBeGreaterThan(800);
  expect(named('beacon-api').runs.filter((run) => run.attempt > 1).length).toBeGreaterThan(20);
  expect(named('harbor-gateway').state.headStatus).toBe('failure');
  expect(named('driftwood-docs').runs.length).toBeLessThan(60);
  expect(named('old-lantern').repository.archived).toBe(true);
  expect(named('anchor-charts').repository.fork).toBe(true);
  expect(named('new-pier')).toMatchObject({ runs: [], workflows: [], state: { defaultBranch: null } });
  expect(named('pilot-mobile').repository.description).toMatch(/水先/);
  const workflows = world.repositories.flatMap((one) => one.workflows);
  expect(workflows.some((one) => one.state === 'disabled_manually')).toBe(true);
  expect(workflows.some((one) => one.path.startsWith('dynamic/'))).toBe(true);
  expect(everyAttempt.some((run) => run.actor?.isBot)).toBe(true);
  expect(everyAttempt.some((run) => run.actor === null)).toBe(true);
});

test.each([0, 1, 2, 3, 4, 5, 6].map((later) => morning + later * day))(
  'the first fifty runs show every state, whatever the day (%d)',
  (now) => {
    const [first] = makeWorld({ seed: 'demo', now }).repositories;
    const newest = first?.runs.slice(0, 50) ?? [];
    const ended = newest.filter((run) => run.status === 'completed');
    const attempts = newest.flatMap((run) => first?.attempts(run.id) ?? []);
    const ci = ended.filter((run) => run.workflowName === 'CI');
    const usual = durationOf(
      [...ci].sort((a, b) => durationOf(a) - durationOf(b))[Math.floor(ci.length / 2)] as LiveWorkflowRun,
    );
    const inRow = ci.map((run) => (run.conclusion === 'failure' ? 'f' : '.')).join('');
    expect(inRow).toContain('ffff');
    expect(ended.some((run) => run.attempt > 1 && run.conclusion === 'success')).toBe(true);
    expect(attempts.some((run) => run.attempt === 1 && run.conclusion === 'failure')).toBe(true);
    expect(ended.some((run) => run.conclusion === 'cancelled')).toBe(true);
    expect(ended.some((run) => run.attempt === 1 && waitOf(run) > 10 * 60_000)).toBe(true);
    expect(ci.some((run) => durationOf(run) > 4 * usual && waitOf(run) < 60_000)).toBe(true);
    expect(newest.map((run) => run.status)).toEqual(expect.arrayContaining(['queued', 'in_progress']));
  },
);

test('the main branch of the failing repository fails up to now', () => {
  const { runs, workflows } = named('harbor-gateway');
  const newest = runs.filter((run) => run.workflowId === workflows[0]?.id).slice(0, 5);
  expect(newest.map((run) => run.conclusion)).toEqual(Array(5).fill('failure'));
});

test('builds with and without a cache form two groups', () => {
  const passed = named('pilot-mobile').runs.filter(
    (run) => run.workflowName === 'Build and sign' && run.conclusion === 'success',
  );
  const warm = passed.filter((run) => durationOf(run) < 450_000).length;
  const cold = passed.filter((run) => durationOf(run) > 750_000).length;
  expect(warm / passed.length).toBeGreaterThan(0.5);
  expect(cold / passed.length).toBeGreaterThan(0.2);
  expect(warm + cold).toBeGreaterThan(passed.length * 0.95);
});

test('history reaches back over ninety days in the rhythm of a working week', () => {
  const { runs } = named('tidewater-web');
  expect(world.now - (runs.at(-1)?.createdAt ?? 0)).toBeGreaterThan(90 * day);
  const on = (days: number[]) => runs.filter((run) => days.includes(new Date(run.createdAt).getUTCDay())).length;
  expect(on([0, 6])).toBeLessThan(on([2, 3]) / 4);
  const local = (run: LiveWorkflowRun) => new Date(run.createdAt + 7 * 3_600_000).getUTCHours();
  expect(runs.filter((run) => local(run) >= 8 && local(run) < 19).length).toBeGreaterThan(runs.length * 0.8);
});

test('attempts follow each other, keep what must stay, and end before now', () => {
  for (const one of world.repositories)
    for (const { id } of one.runs) {
      const attempts = one.attempts(id);
      expect(attempts.map((run) => run.attempt)).toEqual(attempts.map((_, index) => index + 1));
      expect(new Set(attempts.map((run) => `${run.id} ${run.createdAt} ${run.headSha} ${run.actor?.login}`)).size).toBe(
        1,
      );
      for (const [index, run] of attempts.entries()) {
        const before = attempts[index - 1];
        expect(run.startedAt ?? 0).toBeGreaterThanOrEqual(before?.updatedAt ?? run.createdAt);
        expect(run.updatedAt).toBeGreaterThanOrEqual(run.startedAt ?? 0);
        expect(run.updatedAt).toBeLessThanOrEqual(world.now);
        expect([run.createdAt % 1000, (run.startedAt ?? 0) % 1000, run.updatedAt % 1000]).toEqual([0, 0, 0]);
        expect(run.conclusion === null).toBe(run.status !== 'completed');
      }
    }
});

test('each id is used once and runs are listed newest first', () => {
  const ids = world.repositories.flatMap((one) => one.runs.map((run) => run.id));
  expect(new Set(ids).size).toBe(ids.length);
  for (const { runs } of world.repositories) {
    const created = runs.map((run) => run.createdAt);
    expect(created).toEqual([...created].sort((one, other) => other - one));
  }
});

test('jobs and steps lie within their attempt and explain its conclusion', () => {
  for (const one of world.repositories)
    for (const run of one.runs.flatMap(({ id }) => one.attempts(id))) {
      const jobs = one.jobs(run.id, run.attempt);
      expect(jobs.length).toBeGreaterThan(0);
      expect(new Set(jobs.map((job) => job.id)).size).toBe(jobs.length);
      const reported = jobs.map((job) => job.conclusion);
      if (run.conclusion === 'success') expect(new Set(reported)).toEqual(new Set(['success']));
      else expect(reported).toContain(run.conclusion);
      for (const { createdAt, startedAt, completedAt, steps } of jobs) {
        const times = [run.startedAt, createdAt, startedAt, completedAt].filter((time) => time !== null);
        expect(times).toEqual([...times].sort((a, b) => a - b));
        if (completedAt !== null) expect(completedAt).toBeLessThanOrEqual(run.updatedAt);
        expect(steps.map((step) => step.number)).toEqual(steps.map((_, index) => index + 1));
        for (const step of steps) {
          if (step.startedAt !== null) expect(step.startedAt).toBeGreaterThanOrEqual(startedAt ?? 0);
          if (step.completedAt !== null && completedAt !== null)
            expect(step.completedAt).toBeLessThanOrEqual(completedAt);
        }
      }
      if (run.status === 'completed') expect(Math.max(...jobs.map((job) => job.completedAt ?? 0))).toBe(run.updatedAt);
    }
});

test('the first jobs of an attempt wait as long as the attempt did', () => {
  const first = named('tidewater-web');
  const spike = first.runs.find((run) => run.attempt === 1 && waitOf(run) > 10 * 60_000) as LiveWorkflowRun;
  const [job] = first.jobs(spike.id, 1);
  expect((job?.startedAt ?? 0) - (job?.createdAt ?? 0)).toBe(waitOf(spike));
});

const codehost = demoCodehost(world);
const web = { owner: 'Lumen-Harbor', repo: 'Tidewater-Web' };

test('the demo client reads the world as a platform would give it', async () => {
  const [newest] = named('tidewater-web').runs;
  expect((await codehost.repositories.get(web)).repo).toBe('tidewater-web');
  expect((await codehost.repositories.mine()).items).toHaveLength(8);
  expect((await codehost.repositories.ofOrganization('lumen-harbor')).items).toHaveLength(8);
  expect(await codehost.repositories.states([web, { owner: 'x', repo: 'y' }])).toHaveLength(1);
  expect((await codehost.workflows.list(web)).items).toHaveLength(4);
  expect((await codehost.runs.ofWorkflow(web, newest?.workflowId ?? 0, 50)).items).toHaveLength(50);
  expect(await codehost.runs.get(web, newest?.id ?? 0)).toEqual(newest);
  expect(await codehost.runs.get(web, 1)).toBeNull();
  const rerun = named('tidewater-web').runs.find((run) => run.attempt === 2);
  expect((await codehost.runs.attempt(web, rerun?.id ?? 0, 1))?.conclusion).toBe('failure');
  expect((await codehost.jobs.ofRun(web, rerun?.id ?? 0, 1)).items[0]?.attempt).toBe(1);
  expect((await codehost.jobs.ofRun(web, rerun?.id ?? 0)).items[0]?.attempt).toBe(2);
});

test('windows and recent lists are cut as requested', async () => {
  const recent = await codehost.runs.recent(web, world.now - 30 * day, 1);
  expect(recent).toMatchObject({ partial: true });
  expect(recent.items).toHaveLength(100);
  const complete = await codehost.runs.recent(web, world.now - 30 * day, 9);
  expect([complete.partial, complete.items.length]).toEqual([false, recent.totalCount]);
  const page = await codehost.runs.window(web, world.now - 30 * day, world.now, 2);
  expect(page.totalCount).toBe(recent.totalCount);
  expect(page.runs[0]).toEqual(complete.items[100]);
});

test.each([
  ['repository', () => codehost.repositories.get({ owner: 'lumen-harbor', repo: 'nothing' })],
  ['organization', () => codehost.repositories.ofOrganization('nobody')],
  ['workflow', () => codehost.runs.ofWorkflow(web, 1, 50)],
  ['run', () => codehost.jobs.ofRun(web, 1)],
  ['attempt', () => codehost.jobs.ofRun(web, named('tidewater-web').runs[0]?.id ?? 0, 9)],
])('an unknown %s is not found', async (_, ask) => {
  const error = await ask().catch((problem: unknown) => problem);
  expect(error).toBeInstanceOf(Problem);
  expect(error).toMatchObject({ code: 'not_found', status: 404 });
});
