// What the comparison of marked pull requests says in worlds in which it is known what a mark does: WORLDS without an
// effect, then as many with fewer by 15 points, of several sizes. It ends with an error where a bound is missed.
import { summarizeTrials, tryWorld, worldWithEffect, worldWithoutEffect } from '../simulation/authorship-trials.ts';

const [withoutEffect = 500, withEffect = 200] = process.argv.slice(2).map(Number);
const seeds = (count) => Array.from({ length: count }, (_unused, index) => index + 1);
const missed = [];
const check = (what, holds) => {
  if (!holds) missed.push(what);
};

const none = summarizeTrials(seeds(withoutEffect).map((seed) => tryWorld(worldWithoutEffect(seed))));
console.log('without an effect', none);
check('plain test claims in 90 %', none.plainClaimsPct >= 90);
check('any claim in at most 2 %', none.anyClaims <= 0.02 * none.worlds);

for (const size of [
  [60, 260],
  [120, 400],
  [250, 700],
]) {
  const trials = seeds(withEffect).map((seed) => tryWorld(worldWithEffect(seed, size)));
  const large = trials.filter(({ sets }) => sets >= 300);
  const sets = trials.map((trial) => trial.sets).sort((a, b) => a - b);
  console.log(
    `-15 points, ${size.join(' to ')} pull requests, ${sets[sets.length >> 1]} sets`,
    summarizeTrials(trials),
  );
  if (large.length === 0) continue;
  const found = summarizeTrials(large);
  console.log('  of these with at least 300 sets', found);
  const of = `of ${size.join(' to ')} pull requests`;
  const covered = found.coveragePct.merged_30d;
  check(`claimed in 80 % ${of}`, found.mergedLower >= 0.8 * found.worlds);
  check(`no wrong sign ${of}`, found.mergedHigher === 0);
  check(`intervals hold the effect in 92 to 98 % ${of}`, covered >= 92 && covered <= 98);
}
if (missed.length > 0) throw new Error(`missed: ${missed.join(', ')}`);
