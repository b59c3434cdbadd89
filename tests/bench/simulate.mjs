// Simulates days of a deployment from seeds that follow each other, and prints the first seed whose world violates an
// invariant, with what was done in it: DAYS [SEED].
import { simulate } from '../simulation/simulation.ts';

const [days = 1000, first = 1] = process.argv.slice(2).map(Number);
const daysPerWorld = 10;

const start = performance.now();
for (let world = 0; world * daysPerWorld < days; world++) {
  const seed = first + world;
  const { trace, violation } = await simulate(seed, daysPerWorld);
  if (violation) {
    console.log(trace.join('\n'));
    console.log(`Seed ${seed}, ${violation}`);
    process.exit(1);
  }
}
const seconds = (performance.now() - start) / 1000;
console.log(
  `${days} days in ${Math.round(seconds)} s, seeds ${first} to ${first + Math.ceil(days / daysPerWorld) - 1}: no invariant violated`,
);
