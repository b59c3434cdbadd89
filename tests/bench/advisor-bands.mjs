// How often the 80 % band of a prediction holds what a change of the file then saves, in simulated worlds in which that
// is known, and how far the replay is from the simulator over the recorded days: WORLDS of each kind and history (A3, A4).
//   node tests/bench/advisor-bands.mjs [WORLDS] [KINDS]
import { tryWorld, worldKinds } from '../simulation/ci-predictions.ts';

const [worlds = 60] = process.argv.slice(2, 3).map(Number);
const kinds = process.argv[3]?.split(',') ?? Object.keys(worldKinds);
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
for (const kind of kinds)
  for (const history of histories) {
    const trials = Array.from({ length: worlds }, (_, index) =>
      tryWorld(kind, { ...history, seed: 1 + index, perDay: index % 2 ? 30 : 8 }),
    );
    const known = trials.filter((trial) => trial?.band);
    const walls = trials.flatMap((trial) => trial?.wall ?? []);
    const found = trials.filter((trial) => trial !== null);
    const isFlagged = ({ drifting, reason }) => drifting || reason === 'level_changed';
    rows.push({
      kind,
      ...history,
      predicted: known.length,
      'held %': share(known, isHeld),
      'bias, points': mean(known.map(({ future, band }) => future - band.mid)),
      'replay, points': mean(known.map(({ past, predictedPast }) => Math.abs(predictedPast - past))),
      'width, points': mean(known.map(({ band }) => band.high - band.low)),
      'drifting or of another level %': share(found, isFlagged),
      ...(walls.length > 0 && { 'median held %': share(walls, isHeld) }),
      held: known.filter(isHeld).length,
      flagged: found.filter(isFlagged).length,
      found: found.length,
    });
  }
console.table(rows.map(({ held: _held, flagged: _flagged, found: _found, ...row }) => row));
for (const isDrifting of [false, true]) {
  const some = rows.filter(({ memory }) => memory > 0.6 === isDrifting);
  const sum = (key) => some.reduce((total, row) => total + row[key], 0);
  const pct = (part, all) => `${part} of ${all} (${((100 * part) / all).toFixed(1)} %)`;
  console.log(
    `${isDrifting ? 'drifting' : 'usual'} worlds: ${pct(sum('held'), sum('predicted'))} bands held what came, ${pct(sum('flagged'), sum('found'))} were said to drift or to be of another level`,
  );
}
