// How often the 80 % band of a prediction holds what a change of the file then saves, in simulated worlds in which that
// is known, and how far the replay is from the simulator over the recorded days: WORLDS of each kind and history.
import { tryWorld, worldKinds } from '../simulation/ci-predictions.ts';

const [worlds = 60] = process.argv.slice(2).map(Number);
const histories = [
  { days: 42, memory: 0.3 },
  { days: 90, memory: 0.3 },
  { days: 90, memory: 0.6 },
  { days: 90, memory: 0.85 },
];

const mean = (values) => values.reduce((sum, one) => sum + one, 0) / values.length;
const share = (all, matches) => (100 * all.filter(matches).length) / all.length;
const isHeld = ({ future, band }) => future >= band.low && future <= band.high;

const rows = [];
for (const kind of Object.keys(worldKinds))
  for (const history of histories) {
    const trials = Array.from({ length: worlds }, (_, index) =>
      tryWorld(kind, { ...history, seed: 1 + index, perDay: index % 2 ? 30 : 8 }),
    );
    const known = trials.filter((trial) => trial?.band);
    rows.push({
      kind,
      ...history,
      predicted: known.length,
      'held %': share(known, isHeld),
      'bias, points': mean(known.map(({ future, band }) => future - band.mid)),
      'replay, points': mean(known.map(({ past, predictedPast }) => Math.abs(predictedPast - past))),
      'width, points': mean(known.map(({ band }) => band.high - band.low)),
      'drifting or of another level %': share(
        trials.filter((trial) => trial !== null),
        ({ drifting, reason }) => drifting || reason === 'level_changed',
      ),
      held: known.filter(isHeld).length,
    });
  }
console.table(rows.map(({ held: _held, ...row }) => row));
const predicted = rows.reduce((sum, row) => sum + row.predicted, 0);
const held = rows.reduce((sum, row) => sum + row.held, 0);
console.log(`${held} of ${predicted} bands held what came: ${((100 * held) / predicted).toFixed(1)} %`);
