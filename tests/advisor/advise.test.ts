import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Advised, type AdviseTask, advise } from '../../server/advisor/advise.ts';
import { taskThread } from '../../server/platform/task-thread.ts';
import { busyRepository } from '../simulation/ci-predictions.ts';

const source = new URL('../../server/advisor/advise-worker.ts', import.meta.url).pathname;

const repository = busyRepository(4);
const aTask = (parts: Partial<AdviseTask> = {}): AdviseTask => ({
  repository,
  pricing: { isPublic: false },
  seesSecurity: true,
  dismissed: [],
  chosen: [],
  hasReadChecks: false,
  isTooLarge: false,
  ...parts,
});

describe('recommendations of 20,000 jobs', () => {
  const thread = taskThread<AdviseTask, Advised | null>(source, 256);
  const run = async (task: AdviseTask) => {
    const outcome = await thread.run(task, 300_000);
    if (outcome.state !== 'done') throw new Error(outcome.state);
    return outcome.result;
  };
  let inline: { answer: Advised | null; ms: number };

  beforeAll(async () => {
    // The thread is there, and what this thread compiles is compiled.
    await run(aTask({ isTooLarge: true }));
    advise(aTask());
    const from = process.threadCpuUsage();
    const answer = advise(aTask());
    inline = { answer, ms: toMs(process.threadCpuUsage(from)) };
  });

  afterAll(() => thread.close());

  test('are the same in a thread of their own, which leaves this one free', async () => {
    const from = process.threadCpuUsage();
    const answer = await run(aTask());
    const ms = toMs(process.threadCpuUsage(from));
    expect(answer).toEqual(inline.answer);
    expect(ms).toBeLessThan(inline.ms / 3);
  });

  test('of which several are chosen have one promise for each workflow that these change', () => {
    const offered = inline.answer?.recommendations.filter(
      ({ reasons, kind }) => reasons.length === 0 && kind.certainty !== 'risk',
    );
    const byWorkflow = Map.groupBy(offered ?? [], ({ workflowId }) => workflowId);
    const several = [...byWorkflow].filter(([, all]) => all.length > 1);
    expect(several.length).toBeGreaterThan(0);
    const chosen = (offered ?? []).map(({ id }) => id);
    const { jointly, together } = advise(aTask({ chosen }))?.changes ?? {};
    expect([...(jointly?.keys() ?? [])].toSorted()).toEqual(several.map(([id]) => id).toSorted());
    const [id, all = []] = several[0] ?? [];
    const alone = advise(aTask({ chosen: all.map((one) => one.id) }))?.changes;
    expect(alone?.jointly.get(id ?? 0)?.promised).toEqual(alone?.together.next?.reductionPct);
    expect(jointly?.get(id ?? 0)).toEqual(alone?.jointly.get(id ?? 0));
    expect(together?.next).not.toBeNull();
  });

  test('come with the runs and the change of those that are chosen', async () => {
    const [first, second] = inline.answer?.recommendations.filter(({ reasons }) => reasons.length === 0) ?? [];
    const answer = await run(aTask({ chosen: [first?.id ?? ''], dismissed: null }));
    const withRuns = answer?.recommendations.filter(({ evidence }) => evidence.length > 0).map(({ id }) => id);
    expect([withRuns, answer?.total]).toEqual([[first?.id], null]);
    expect(answer?.changes.files.map(({ path }) => path)).toEqual([first?.path]);
    expect(answer?.changes.together.next).not.toBeNull();
    expect(second?.evidence).toEqual([]);
  });

  test('that took too long are found in the files alone, and say so', async () => {
    const answer = await run(aTask({ isTooLarge: true }));
    const reasons = answer?.recommendations.flatMap(({ effect }) => effect.reason ?? []);
    expect([answer?.calibration, [...new Set(reasons)].sort()]).toEqual([null, ['not_offered', 'too_large']]);
  });
});

const toMs = ({ user, system }: { user: number; system: number }) => (user + system) / 1000;
