import { dice } from '../sync/deliveries-world.ts';
import type { Defect } from './deployment.ts';
import { startDeployment } from './deployment.ts';
import { beginWorld } from './world.ts';

/** What a simulation came to. */
export interface Simulated {
  /** What was done, and what came of it: the same for the same seed. */
  trace: string[];
  /** The invariant that did not hold, and when; null where all did. */
  violation: string | null;
  /** Days until then. */
  days: number;
}

const stepsPerDay = 16;

/**
 * Simulates days of a deployment in one process: the world of the platform, its webhooks in any order, people who read,
 * jobs, faults of the platform, lost connections, and kills between any two messages to the database. All of it
 * follows from the seed. At the end of each day all that is left is read and sent, and each invariant is checked.
 */
export async function simulate(seed: number, days: number, defect?: Defect): Promise<Simulated> {
  const deployment = await startDeployment(defect);
  try {
    const world = await beginWorld(deployment, dice(seed));
    for (let day = 1; day <= days; day++) {
      for (let step = 0; step < stepsPerDay; step++) await world.step();
      const violation = await world.endDay();
      if (violation) return { trace: world.trace, violation: `day ${day}: ${violation}`, days: day };
    }
    return { trace: world.trace, violation: null, days };
  } finally {
    await deployment.close();
  }
}
