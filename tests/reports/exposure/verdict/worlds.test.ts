import { expect, test } from 'vitest';
import { judgeJob } from '../../../../server/reports/exposure/verdict/judge-job.ts';
import { rounds } from '../../../support/rounds.ts';
import { makeWorld } from './worlds.ts';

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
