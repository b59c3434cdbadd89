// Alarms and misses of change detection in made histories.  node tests/bench/change-detection.mjs [histories a case]
import { findAnomalies } from '../../server/metrics/kernel/anomalies.ts';
import { findLevelShifts } from '../../server/metrics/kernel/level-shifts.ts';
import { correlated, durationOfTimed, historyOf, lognormal, normal, stepped, twoModes } from '../metrics/histories.ts';
import { randomOf } from '../metrics/worlds.ts';
import { median, print, timed } from './made.mjs';

const [histories = 2000] = process.argv.slice(2).map(Number);
const misses = [];

const plain = (count, sigma) => (random) => lognormal(random, count, sigma);
const outliers = (random) => lognormal(random, 100, 0.2).map((ms) => (random() < 0.05 ? 3 * ms : ms));
/** Runs in fits: a cold cache stays cold for three runs on average. */
function fits(random) {
  let cold = false;
  return lognormal(random, 100, 0.15).map((ms) => {
    cold = random() < (cold ? 2 / 3 : 1 / 7);
    return cold ? 3 * ms : ms;
  });
}
const drifting = (total) => (random) => plain(100, 0.15)(random).map((ms, index) => ms * (1 + (total * index) / 99));
const waves = (random) => plain(100, 0.15)(random).map((ms, index) => ms * (1 + 0.1 * Math.sin(index / 4)));
const seconds = (random) => Array.from({ length: 100 }, () => 1000 * Math.round(60 + 3 * normal(random)));

/** Shapes without any lasting change; those without a limit break the assumption that runs are independent. */
function flat() {
  const cases = {
    '100 runs, σ 15 %': [plain(100, 0.15), 2],
    '20 runs, σ 15 %': [plain(20, 0.15), 2],
    '40 runs, σ 15 %': [plain(40, 0.15), 2],
    '300 runs, σ 15 %': [plain(300, 0.15), 2],
    '1,000 runs, σ 15 %': [plain(1000, 0.15), 2],
    '100 runs, σ 30 %': [plain(100, 0.3), 2],
    '100 runs, σ 50 %': [plain(100, 0.5), 2],
    'one in twenty three times as long': [outliers, 2],
    'whole seconds, many alike': [seconds, 2],
    'two modes, 10 % cold': [(random) => twoModes(random, 100, { share: 0.1 }), 2],
    'two modes, 30 % cold': [(random) => twoModes(random, 100), 2],
    'two modes, 50 % cold': [(random) => twoModes(random, 100, { share: 0.5 }), 2],
    'two modes in fits': [fits, null],
    'each after the one before, 0.3': [(random) => correlated(random, 100, 0.15, 0.3), null],
    'the same, 300 runs': [(random) => correlated(random, 300, 0.15, 0.3), null],
    'each after the one before, 0.6': [(random) => correlated(random, 100, 0.15, 0.6), null],
    'waves of ± 10 % in 25 runs': [waves, null],
  };
  const rows = {};
  for (const [name, [make, limit]] of Object.entries(cases)) {
    const shifts = each(make, (runs) => findLevelShifts(runs, durationOfTimed).length);
    const flagged = percent(shifts.filter((count) => count > 0));
    rows[name] = { 'flagged %': flagged, 'limit %': limit ?? '' };
    if (limit !== null) hold(flagged <= limit, `${name}: ${flagged} % of flat histories flagged, limit ${limit} %`);
  }
  print(`flat histories with a level shift, of ${histories}`, rows);
}

/** A step counts as found when a shift in its direction is found; where it is said to begin is counted apart. */
function steps() {
  const cases = {
    '+15 % at 50 of 100, σ 15 %': [plain(100, 0.15), 50, 1.15, 90],
    '+10 % at 50 of 100': [plain(100, 0.15), 50, 1.1, null],
    '+25 % at 50 of 100': [plain(100, 0.15), 50, 1.25, 98],
    '−15 % at 50 of 100': [plain(100, 0.15), 50, 0.85, 90],
    '+25 % at 85 of 100': [plain(100, 0.15), 85, 1.25, null],
    '+15 % at 150 of 300': [plain(300, 0.15), 150, 1.15, 98],
    '+15 %, σ 30 %': [plain(100, 0.3), 50, 1.15, null],
    '+15 %, one in twenty three times as long': [outliers, 50, 1.15, null],
    '+15 %, each after the one before, 0.3': [(random) => correlated(random, 100, 0.15, 0.3), 50, 1.15, null],
    '+30 %, two modes, 30 % cold': [(random) => twoModes(random, 100), 50, 1.3, null],
  };
  const rows = {};
  for (const [name, [make, at, factor, goal]] of Object.entries(cases)) {
    const answers = each(
      (random) => stepped(make(random), at, factor),
      (runs) => findLevelShifts(runs, durationOfTimed),
    );
    const shifts = answers.map((answer) => rightShift(answer, at, factor));
    const found = shifts.filter((shift) => shift !== undefined);
    const errors = found.map((shift) => errorOf(shift, at));
    const held = found.filter(({ changeInterval: { low, high } }) => isWithin(100 * (factor - 1), low, high));
    const recall = percent(found);
    rows[name] = {
      'recall %': recall,
      'goal %': goal ?? '',
      'within 10 runs %': percent(errors.filter((error) => error <= 10)),
      'off by runs': median(errors),
      'p90 off': quantile(errors, 0.9),
      'more than one %': percent(answers.filter((shifts) => shifts.length > 1)),
      'interval holds %': round1((100 * held.length) / found.length),
    };
    if (goal !== null) hold(recall >= goal, `${name}: recall ${recall} %, goal ${goal} %`);
  }
  print(`one step, ${histories} histories`, rows);
}

const isWithin = (value, low, high) => low <= value && value <= high;
const errorOf = (shift, at) => Math.abs(shift.since.id - 1 - at);
const rightShift = (shifts, at, factor) =>
  shifts
    .filter(({ direction }) => direction === (factor > 1 ? 'high' : 'low'))
    .toSorted((a, b) => errorOf(a, at) - errorOf(b, at))[0];

/** What takes longer little by little has no moment of change; it is reported as one or more steps. */
function drifts() {
  const rows = {};
  for (const total of [0.05, 0.1, 0.2, 0.4]) {
    const counts = each(drifting(total), (runs) => findLevelShifts(runs, durationOfTimed).length);
    rows[`+${100 * total} % over 100 runs`] = {
      'found %': percent(counts.filter((count) => count > 0)),
      'as more than one step %': percent(counts.filter((count) => count > 1)),
    };
  }
  print(`slow drift, ${histories} histories`, rows);
}

function unusualRuns() {
  const cases = {
    'flat, σ 15 %': [plain(100, 0.15), 2],
    'flat, σ 50 %': [plain(100, 0.5), 2],
    'one in twenty three times as long': [outliers, null],
    ...Object.fromEntries(
      [0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9].map((share) => [
        `two modes, ${100 * share} % cold`,
        [(random) => twoModes(random, 100, { share }), 8],
      ]),
    ),
    'two modes in fits': [fits, 8],
    'two modes, 30 % cold, 1,000 runs': [(random) => twoModes(random, 1000), 2],
  };
  const rows = {};
  for (const [name, [make, limit]] of Object.entries(cases)) {
    const shares = each(make, (runs) => (100 * findAnomalies(runs, durationOfTimed).anomalies.length) / runs.length);
    const mean = round1(shares.reduce((sum, share) => sum + share, 0) / shares.length);
    rows[name] = {
      'runs flagged %': mean,
      'limit %': limit ?? '',
      'p95 of histories %': quantile(shares, 0.95),
      'worst %': Math.max(...shares),
      'any flagged, histories %': percent(shares.filter((share) => share > 0)),
    };
    if (limit !== null) hold(mean <= limit, `${name}: ${mean} % of runs flagged, limit ${limit} %`);
  }
  print(`runs called unusual, ${histories} histories`, rows);
}

/** The last run takes three times as long as the slow mode. */
function beyondTheModes() {
  const rows = {};
  for (const share of [0, 0.1, 0.3, 0.5]) {
    const found = each(
      (random) => [...twoModes(random, 100, { share }), 3 * 3 * 600_000],
      (runs) => findAnomalies(runs, durationOfTimed).anomalies[0]?.run.id === 101,
    );
    rows[`${100 * share} % cold`] = { 'found %': percent(found.filter(Boolean)) };
  }
  print('a run of nine times the time of a warm one', rows);
}

async function speed() {
  const rows = {};
  const shapes = { flat: plain(1000, 0.15), '+15 %': (random) => stepped(plain(1000, 0.15)(random), 500, 1.15) };
  for (const [name, make] of Object.entries({ ...shapes, 'two modes': (random) => twoModes(random, 1000) })) {
    const runs = historyOf(make(randomOf(3)));
    const times = [];
    for (let round = 0; round < 200; round++) times.push(await timed(() => findLevelShifts(runs, durationOfTimed)));
    // The least of many, so that what else the machine does is left out.
    const ms = round1(Math.min(...times));
    rows[name] = { 'ms for 1,000 runs': ms, 'limit ms': 5 };
    hold(ms <= 5, `${name}: ${ms} ms for 1,000 runs, limit 5 ms`);
  }
  print('time of a history', rows);
}

function each(make, look) {
  const random = randomOf(20260301);
  return Array.from({ length: histories }, () => look(historyOf(make(random))));
}

function hold(isHeld, sentence) {
  if (!isHeld) misses.push(sentence);
}

const round2 = (value) => Math.round(value * 100) / 100;
const round1 = (value) => Math.round(value * 10) / 10;
const percent = (members) => round2((100 * members.length) / histories);
const quantile = (values, q) => values.toSorted((a, b) => a - b)[Math.floor(q * (values.length - 1))];

flat();
steps();
drifts();
unusualRuns();
beyondTheModes();
await speed();
for (const sentence of misses) console.error(`MISSED ${sentence}`);
process.exitCode = misses.length === 0 ? 0 : 1;
