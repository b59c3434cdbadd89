// What several changes of a workflow file save together: the replay of all of them against an independent simulator that
// plays the file with all of them, in WORLDS of each length and load; how what each adds sums up, and how much overlaps.
import { tryPlan } from '../simulation/ci-predictions.ts';

const [worlds = 40] = process.argv.slice(2).map(Number);
const rows = [];
for (const days of [42, 90])
  for (const perDay of [8, 30]) {
    const trials = Array.from({ length: worlds }, (_, index) =>
      tryPlan({ days, perDay, memory: 0.3, seed: 1000 + index }),
    ).filter((trial) => trial !== null);
    const apart = trials.map(({ simulated, replayed }) => (100 * Math.abs(replayed - simulated)) / simulated);
    const overlaps = trials.filter(({ alone, replayed }) => alone !== replayed);
    rows.push({
      days,
      perDay,
      plans: trials.length,
      'changes, mean': trials.reduce((sum, { changes }) => sum + changes, 0) / trials.length,
      'apart, % (most)': Math.max(...apart),
      'apart, % (mean)': apart.reduce((sum, one) => sum + one, 0) / apart.length,
      'marginals not the total': trials.filter(({ marginals, total }) => Math.abs(marginals - total) > 1e-6).length,
      overlaps: overlaps.length,
      'less alone than together': overlaps.filter(({ alone, replayed }) => alone < replayed).length,
    });
  }
console.table(rows);
