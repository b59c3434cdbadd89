import { expect, test } from 'vitest';
import { judgeJob } from '../../../../server/reports/exposure/verdict/judge-job.ts';
import { findWorst, judgeRepository } from '../../../../server/reports/exposure/verdict/verdict.ts';
import { rounds } from '../../../support/rounds.ts';
import { chance, makeWorld, type World } from './worlds.ts';

const runsOfWorld = 100;

test('in no world is a run cleared that used what was compromised, nor one accused that did not', () => {
  const counts = { proven: 0, possible: 0, unknown: 0, no: 0 };
  const [falseNo, falseProven]: [number[], number[]] = [[], []];
  const worlds = rounds('EXPOSURE_WORLDS', 40, 1000);
  for (let seed = 0; seed < worlds * runsOfWorld; seed++) {
    const { suspect, job, facts, isHit } = makeWorld(seed);
    const { verdict } = judgeJob(suspect, job, facts);
    counts[verdict] += 1;
    if (verdict === 'no' && isHit) falseNo.push(seed);
    if (verdict === 'proven' && !isHit) falseProven.push(seed);
  }
  expect({ falseNo, falseProven }).toEqual({ falseNo: [], falseProven: [] });
  for (const [verdict, count] of Object.entries(counts)) expect(count, verdict).toBeGreaterThan(worlds / 4);
});

test('nor is a run that was started again, or a repository of which a run was deleted', () => {
  const falseNo: string[] = [];
  const falseProven: string[] = [];
  const cleared = { runs: 0, repositories: 0 };
  const runsOfRepository = 3;
  for (let seed = 0; seed < rounds('EXPOSURE_RERUNS', 3_000, 60_000); seed++) {
    const random = chance(seed + 2e6);
    const { suspect, facts, job, isHit, again } = makeWorld(seed);
    const attempts = [
      { judged: judgeJob(suspect, job, facts), isHit },
      { judged: judgeJob(suspect, again.job, facts), isHit: again.isHit },
    ];
    const run = findWorst(attempts.map(({ judged }) => judged));
    const isRunHit = attempts.some((one) => one.isHit);
    if (run?.verdict === 'no') cleared.runs += 1;
    if (run?.verdict === 'no' && isRunHit) falseNo.push(`run ${seed}`);
    for (const one of attempts) {
      if (one.judged.verdict === 'no' && one.isHit) falseNo.push(`attempt ${seed}`);
      if (one.judged.verdict === 'proven' && !one.isHit) falseProven.push(`attempt ${seed}`);
    }
    // Each attempt stands for a run of a repository of which some were deleted.
    const runs = Array.from({ length: runsOfRepository }, () => random.of(attempts));
    const left = runs.filter(() => random.is(0.9));
    const judged = left.map((one) => one.judged);
    const { verdict } = judgeRepository(judged, left.length === runs.length, 0);
    if (verdict === 'no') cleared.repositories += 1;
    if (verdict === 'no' && runs.some((one) => one.isHit)) falseNo.push(`repository ${seed}`);
  }
  expect({ falseNo, falseProven }).toEqual({ falseNo: [], falseProven: [] });
  expect(Math.min(cleared.runs, cleared.repositories)).toBeGreaterThan(100);
});

/** Where the log of each job that began was read whole, and the ledger knows every repository; null where one still runs. */
function withAllLogs({ suspect, job, lines, badKey }: Pick<World, 'suspect' | 'job' | 'lines' | 'badKey'>) {
  if (job.completedAt === null || !suspect.hasCommitsOnly || !suspect.match.some(({ type }) => type === 'sha'))
    return null;
  const hasBegun = lines.length > 0 || job.hasBegun === true;
  return {
    suspect: { ...suspect, hasKnownId: true, actionKeys: [...new Set([...suspect.actionKeys, badKey])] },
    job: {
      ...job,
      hasBegun,
      log: hasBegun ? { isComplete: true, downloads: lines } : null,
      hasUnknownNames: false,
      called: [],
    },
  };
}

test('acceptance 1.16 (a): where all logs live and were read, at most three of a hundred runs are left open', () => {
  const counts = { proven: 0, possible: 0, unknown: 0, no: 0 };
  const wrong: number[] = [];
  for (let seed = 0; seed < rounds('EXPOSURE_LIVING', 6_000, 100_000); seed++) {
    const world = makeWorld(seed);
    for (const { isHit, ...run } of [world, world.again]) {
      const read = withAllLogs({ ...world, ...run });
      if (read === null) continue;
      const judged = judgeJob(read.suspect, read.job, world.facts);
      counts[judged.verdict] += 1;
      const isTrue = isHit ? judged.verdict !== 'no' : judged.verdict !== 'proven';
      const hasReason = !('reasons' in judged) || judged.reasons.length > 0;
      if (!isTrue || !hasReason) wrong.push(seed);
    }
  }
  expect(wrong).toEqual([]);
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  expect((counts.possible + counts.unknown) / all).toBeLessThanOrEqual(0.03);
  expect(Math.min(counts.proven, counts.no)).toBeGreaterThan(all / 100);
});
