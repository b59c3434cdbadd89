import fc from 'fast-check';
import { createPeople, type People } from '../../server/metrics/people/people.ts';
import { rounds } from '../support/rounds.ts';
import { type DeliveryWorld, deliveryWorld } from './delivery-worlds.ts';

/** The check in a thousand worlds; a failure names the seed of its world. */
export function inEveryWorld(check: (world: DeliveryWorld, people: People) => void): void {
  const property = fc.property(fc.nat(), (seed) => {
    const world = deliveryWorld(seed);
    check(world, createPeople(world.links, ['own-ci']));
  });
  fc.assert(property, { numRuns: rounds('PROPERTY_RUNS', 50, 1000) });
}

/** A thousand worlds, always the same. */
export const sampleWorlds = (): DeliveryWorld[] => Array.from({ length: 1000 }, (_, seed) => deliveryWorld(seed));

/** The share of worlds, or of whatever they hold, for which it is true. */
export function share(holds: boolean[]): number {
  return holds.filter(Boolean).length / holds.length;
}
