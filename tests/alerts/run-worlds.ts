import type { Conclusion } from '../../server/metrics/kernel/facts.ts';
import type { MeasuredRun } from '../../server/metrics/runs/workflow-runs.ts';
import { aRun, day, hour, minute, randomOf, second } from '../metrics/worlds.ts';

/** The last moment of every world. */
export const worldEnd = Date.UTC(2026, 5, 15, 12);

export interface RunWorld {
  attempts: MeasuredRun[];
  /** Moments in it, oldest first: random ones, and those at which a run ends. */
  moments: number[];
}

const endings: Conclusion[] = ['success', 'success', 'success', 'failure', 'timed_out', 'startup_failure'];
const voids: Conclusion[] = ['cancelled', 'skipped', 'neutral'];

/**
 * Some runs of three workflows in twelve days, on the default branch and beside it, of pull requests too: with queues,
 * now and then a very long one, re-runs hours later, and some that have not ended. The same for the same seed.
 */
export function runWorld(seed: number, { most = 70, firstId = 1 } = {}): RunWorld {
  const random = randomOf(seed);
  const upTo = (limit: number) => Math.floor(random() * (limit + 1));
  const pick = <Item>(items: readonly Item[]) => items[upTo(items.length - 1)] as Item;
  const mood = pick([0.1, 0.5, 0.9]);
  const attempts = Array.from({ length: 10 + upTo(most - 10) }, (_, index) => {
    const createdAt = worldEnd - 12 * day + upTo(12 * 24 * 60) * minute + upTo(59) * second;
    const common = {
      id: firstId + index,
      createdAt,
      workflowId: pick([7, 7, 7, 8, 9]),
      headBranch: pick(['main', 'main', 'topic', null]),
      event: pick(['push', 'push', 'pull_request', 'schedule']),
    };
    const tries = pick([1, 1, 1, 2, 3]);
    return Array.from({ length: tries }, (_, before) => {
      const wait = before === 0 ? pick([0, upTo(90) * second, upTo(90) * second, upTo(40) * minute]) : 0;
      const startedAt = createdAt + before * pick([5, 30]) * hour + wait;
      const took = (8 * 60 + upTo(240)) * second * (random() < 0.08 ? 9 : 1) * (random() < 0.03 ? 0 : 1);
      const isOver = random() < 0.95 || before < tries - 1;
      const conclusion = random() < 0.12 ? pick(voids) : random() < mood ? pick(endings.slice(2)) : 'success';
      return aRun({
        ...common,
        attempt: before + 1,
        startedAt,
        updatedAt: startedAt + took,
        ...(isOver ? { conclusion } : { status: 'in_progress', conclusion: null }),
      });
    });
  });
  const lived = attempts.flatMap(inOrder).filter(({ updatedAt }) => updatedAt <= worldEnd);
  const ends = lived.filter(({ status }) => status === 'completed').map(({ updatedAt }) => updatedAt);
  const some = Array.from({ length: 3 }, () => worldEnd - upTo(8 * day));
  return { attempts: lived, moments: [...some, ...ends.slice(0, 4), worldEnd].sort((a, b) => a - b) };
}

/** An attempt begins after the one before it has ended. */
function inOrder(attempts: MeasuredRun[]): MeasuredRun[] {
  return attempts.filter((attempt, index) => {
    const [before] = attempts.slice(0, index).toReversed();
    return !before || (attempt.startedAt ?? 0) > before.updatedAt;
  });
}
