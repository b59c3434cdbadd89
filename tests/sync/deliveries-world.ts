import type { Conclusion, LiveWorkflowRun } from '../../server/metrics/kernel/facts.ts';
import type { Delivery } from '../../server/store/deliveries.ts';
import { namedNow, namedWorld } from '../codehost-double/named-world.ts';
import { repositoryOf } from '../codehost-double/world.ts';
import { changesOf } from '../codehost-double/world-changes.ts';
import { day, hour, minute, second } from './stage.ts';

/** The same pseudo-random whole numbers below a bound every time. */
export function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

export const names = ['octo/inbox-1', 'octo/inbox-2', 'octo/inbox-3'];

const endings: Conclusion[] = ['success', 'success', 'failure', 'cancelled', 'timed_out', 'skipped'];

/**
 * A world of runs with one to five attempts, and what the platform says while they go through their states: about so
 * many deliveries, in the order of the events.
 */
export function worldOfDeliveries(count: number, random: (below: number) => number) {
  const world = namedWorld();
  const { addRepository, putRun } = changesOf(world);
  for (const [index, name] of names.entries()) addRepository({ name, facts: { id: 71_000 + index } });
  const events: Delivery[] = [];
  const tell = (name: string, run: LiveWorkflowRun) => {
    const action = run.status === 'queued' ? 'requested' : run.status;
    const id = `delivery-${events.length}`;
    const { facts: repository } = repositoryOf(world, name);
    events.push({ id, event: 'workflow_run', action, repository, run, job: null });
  };
  for (let id = 1; events.length < count; id++) {
    const name = names[random(names.length)] as string;
    const createdAt = floorToSecond(namedNow - 60 * day + random(59 * day));
    const attempts = random(5) < 3 ? 1 : 1 + random(5);
    let at = createdAt;
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const startedAt = at + random(20) * second;
      const common = { id, attempt, createdAt, startedAt, conclusion: null };
      tell(name, putRun(name, { ...common, status: 'queued', updatedAt: startedAt }));
      tell(name, putRun(name, { ...common, status: 'in_progress', updatedAt: startedAt + random(3) * second }));
      // A few of the newest are still running.
      if (attempt === attempts && createdAt > namedNow - 2 * day && random(4) === 0) break;
      const conclusion = endings[random(endings.length)] as Conclusion;
      const updatedAt = startedAt + (3 + random(1800)) * second;
      tell(name, putRun(name, { ...common, status: 'completed', conclusion, updatedAt }));
      at = updatedAt + minute + random(hour);
    }
  }
  return { world, events };
}

const floorToSecond = (instant: number) => Math.floor(instant / second) * second;

/** Some never arrive, some twice, and in any order. */
export function badlyDelivered<T>(events: readonly T[], random: (below: number) => number): T[] {
  const arrived = events.flatMap((one) => {
    if (random(10) < 2) return [];
    return random(10) < 3 ? [one, one] : [one];
  });
  for (let last = arrived.length - 1; last > 0; last--) {
    const other = random(last + 1);
    [arrived[last], arrived[other]] = [arrived[other] as T, arrived[last] as T];
  }
  return arrived;
}
