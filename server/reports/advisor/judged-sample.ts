import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../access/context.ts';
import type { JudgedPlan } from '../../advisor/judge.ts';
import type { Platform } from '../../codehost/changes/client.ts';
import type { Repository } from '../../metrics/kernel/facts.ts';
import { noteFreshUntil } from '../../platform/freshness.ts';
import { judgeRepository } from './judge.ts';
import type { Judged } from './judged.ts';

/** Plans of the sample world by repository, and those that are being made. */
interface SamplePlans {
  made: Map<number, JudgedPlan>;
  making: Map<number, Promise<unknown>>;
}

const samples = new WeakMap<Platform, SamplePlans>();

/** How long a page waits for what is not judged yet. */
const patientMs = 2000;

/**
 * The sample world is judged when it is looked at first, once for everybody. What is not judged within two seconds is
 * `pending` in this answer, and goes on.
 */
export async function judgeSample(visible: readonly Repository[], context: Context): Promise<Judged> {
  const codehost = await context.codehost();
  const sample: SamplePlans = samples.get(codehost) ?? { made: new Map(), making: new Map() };
  samples.set(codehost, sample);
  await Promise.race([makeMissing(visible, sample, context), sleep(patientMs, undefined, { ref: false })]);
  const { made } = sample;
  const now = context.services.clock.now();
  // The next one who asks is answered from what is known by then.
  if (visible.some(({ id }) => !made.has(id))) noteFreshUntil(now);
  return {
    planned: visible.map(({ id, owner, repo }) => {
      const plan = made.get(id) ?? 'pending';
      return { id, owner, repo, plan, judgedAt: made.has(id) ? now : null, opened: new Map() };
    }),
    asOf: visible.flatMap(({ id }) => (made.has(id) ? now : [])),
  };
}

/** Each is read in a turn of its own, so that other requests are answered between them; judged they are in a thread. */
function makeMissing(visible: readonly Repository[], { made, making }: SamplePlans, context: Context) {
  let turn: Promise<unknown> = Promise.resolve();
  for (const one of visible) {
    if (made.has(one.id) || making.has(one.id)) continue;
    turn = turn.then(() => nextTurn());
    const plan = turn
      .then(() => judgeRepository(one, context))
      .then((judged) => made.set(one.id, judged.plan))
      .finally(() => making.delete(one.id));
    making.set(one.id, plan);
    // Whoever waits has it; nobody may wait any more.
    plan.catch(() => {});
  }
  return Promise.all(visible.map(({ id }) => making.get(id)));
}
