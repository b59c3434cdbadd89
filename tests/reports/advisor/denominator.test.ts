import { expect, test } from 'vitest';
import type { ProposedChange } from '../../../server/advisor/verdict/proposed.ts';
import { beginOf } from '../../../server/reports/advisor-results/looks.ts';
import { aJob, anAttempt, day, hour, now } from '../../advisor/histories.ts';

const midnight = Math.floor(now / day) * day;
const startAt = midnight + hour;

const aChange = (kind: string, workflowId: number): ProposedChange => ({
  id: `${workflowId}`.padStart(16, '0'),
  kind,
  title: 'Skip documentation-only changes',
  path: `.github/workflows/${workflowId}.yml`,
  workflowId,
  promised: { low: 15, mid: 20, high: 25 },
});

/** For which pull requests each workflow runs. */
type Workflows = Readonly<Record<number, (index: number) => boolean>>;

/** Four pull requests a day for 50 days, and a run of each workflow for those that it is not left out of. */
const runsOf = (workflows: Workflows) =>
  Array.from({ length: 200 }, (_unused, index) => {
    const arrivedAt = midnight - (50 - Math.floor(index / 4)) * day + 9 * hour;
    return Object.entries(workflows)
      .filter(([, runs]) => runs(index))
      .map(([id]) =>
        anAttempt({
          workflowId: Number(id),
          arrivedAt,
          headBranch: `change-${index}`,
          headSha: `sha-${index}`,
          jobs: [aJob('test', arrivedAt, 6)],
        }),
      );
  }).flat();

const always = () => true;
const change = aChange('ADV-04', 7001);

const rows: [string, Workflows, ProposedChange[], string | null][] = [
  ['no other workflow', { 7001: always }, [], 'no_denominator'],
  ['another one for most', { 7001: always, 7002: (index: number) => index % 20 > 0 }, [], 'no_denominator'],
  ['another one for all', { 7001: always, 7002: always }, [], null],
  ['another one for nearly all', { 7001: always, 7002: (index: number) => index !== 7 }, [], null],
  ['one that it filters, too', { 7001: always, 7002: always }, [aChange('ADV-04', 7002)], 'no_denominator'],
  ['one that it changes otherwise', { 7001: always, 7002: always }, [aChange('ADV-05', 7002)], null],
  ['a third', { 7001: always, 7002: always, 7003: always }, [aChange('ADV-04', 7002)], null],
];

test.each(rows)('updates that a merge leaves without a run are seen by %s', (_what, workflows, others, reason) => {
  const recorded = { attempts: runsOf(workflows), defaultBranch: 'main', startAt };
  expect(beginOf(change, recorded, [change, ...others])).toMatchObject({
    state: reason === null ? 'waiting' : 'cannot_tell',
    reason,
    promised: change.promised,
  });
});

test('other changes need no other workflow', () => {
  const recorded = { attempts: runsOf({ 7001: always }), defaultBranch: 'main', startAt };
  expect(beginOf(aChange('ADV-01', 7001), recorded, []).state).toBe('waiting');
});

test('too few days are told as such', () => {
  const attempts = runsOf({ 7001: always }).slice(-20);
  const { state, reason } = beginOf(change, { attempts, defaultBranch: 'main', startAt }, []);
  expect([state, reason]).toEqual(['cannot_tell', 'history_too_short']);
});
