// What verdicts say of merged changes in simulated worlds in which it is known what the change does, and when a gain that
// is lost is found: WORLDS of each kind.
import { afters, tryVerdict } from '../simulation/verdict-worlds.ts';

const [worlds = 60] = process.argv.slice(2).map(Number);
const seeds = Array.from({ length: worlds }, (_, index) => index + 1);
const share = (part, all) => (all === 0 ? null : Math.round((1000 * part) / all) / 10);

/** What may be decided of each, beside that it cannot be told. */
const right = { 'as promised': ['kept'], half: ['not_kept'], reversed: ['not_kept'] };
const rightOfNone = ['no_effect', 'not_kept'];

const rows = [];
for (const [kind, after] of Object.entries(afters))
  for (const perDay of [8, 40]) {
    const trials = seeds.map((seed) => tryVerdict({ seed, perDay, after, days: 84 })).filter((one) => one !== null);
    const states = trials.filter(({ promised }) => promised.low >= 3).map(({ weeks }) => weeks.at(-1));
    const isDecided = ({ state }) => ['kept', 'not_kept', 'no_effect', 'lost'].includes(state);
    const decided = states.filter(isDecided).map(({ state }) => (state === 'lost' ? 'kept' : state));
    const isRight = (state) => (right[kind] ?? rightOfNone).includes(state);
    const count = (wanted) => states.filter(({ state }) => state === wanted).length;
    rows.push({
      kind,
      perDay,
      promised: states.length,
      decided: decided.length,
      right: decided.filter(isRight).length,
      kept: decided.filter((state) => state === 'kept').length,
      'not kept': count('not_kept'),
      'no effect': count('no_effect'),
      'something else': states.filter(({ reason }) => reason === 'something_else_changed').length,
      'too variable': states.filter(({ reason }) => reason === 'too_variable').length,
    });
  }
console.table(rows);
const total = (of, matches = () => true) => rows.filter(matches).reduce((sum, row) => sum + row[of], 0);
const isNone = ({ kind }) => kind.startsWith('none');
const isBusy = ({ kind, perDay }) => kind === 'as promised' && perDay === 40;
console.log(
  `right among decided: ${total('right')} of ${total('decided')}, ${share(total('right'), total('decided'))} %`,
);
console.log(`kept without an effect: ${total('kept', isNone)} of ${total('promised', isNone)}`);
console.log(`kept in busy worlds as promised: ${total('kept', isBusy)} of ${total('promised', isBusy)}`);

/** Of gains that were kept at the first looks. */
const isKeptFirst = ({ weeks }) => weeks[11]?.state === 'kept';
const withGain = (lostFrom, days) =>
  seeds
    .map((seed) => tryVerdict({ seed, perDay: 40, after: { effect: 1 }, days, lostFrom }))
    .filter((one) => one !== null && isKeptFirst(one));
const lost = withGain(98, 98 + 84);
const weeksUntil = lost.map(({ weeks }) => weeks.findIndex(({ state }, week) => week >= 14 && state === 'lost') - 13);
const inTime = weeksUntil.filter((weeks) => weeks > 0 && weeks <= 4).length;
console.log(`lost gains found within 4 weeks: ${inTime} of ${lost.length}`, weeksUntil.join(' '));
const lasting = withGain(undefined, 84 + 364);
const alarms = lasting.filter(({ weeks }) => weeks.slice(12).some(({ state }) => state === 'lost')).length;
console.log(`false alarms in a year: ${alarms} of ${lasting.length}`);
