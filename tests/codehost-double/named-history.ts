import type { Instant } from '../../server/metrics/kernel/facts.ts';
import type { DoubleCommit, DoubleDeployment, DoubleIssue, DoubleRelease } from './delivery.ts';
import { aCommit, aDeployment, aFile, anActor, aRelease } from './delivery-builders.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Commits per author of five directories: one person is enough for 80 % of the first, two of the second, three … */
export const moduleCommits: Record<string, Record<string, number>> = {
  'src/pay': { ana: 8, bob: 2 },
  'src/cart': { ana: 5, bob: 3, cy: 1, dee: 1 },
  docs: { ana: 4, bob: 3, cy: 2, dee: 1 },
  ops: { ana: 4, bob: 1 },
  tools: { ana: 3, bob: 1 },
};

/**
 * The history of octo/web beside its three newest commits. All in `notes`: `nox` wrote inside of the working day, after
 * it, after it on a Saturday, and on a Saturday (Saigon time); `owl` four times at night; `gone`, `faded`, `eight` and
 * `nine` have stopped, after 3 and 2 commits in six weeks, and 8 and 9 in the quarter.
 */
export function webHistory(now: Instant): DoubleCommit[] {
  return [...moduleHistory(), ...hours(), ...endings(now), ...special(now)];
}

/** On Tuesday, 10 November, from nine in the morning in Saigon. */
function moduleHistory(): DoubleCommit[] {
  const start = Date.parse('2026-11-10T02:00:00Z');
  const wanted = Object.entries(moduleCommits).flatMap(([path, authors]) =>
    Object.entries(authors).flatMap(([login, count]) => Array.from({ length: count }, () => ({ path, login }))),
  );
  return wanted.map(({ path, login }, index) => note(login, start + index * 5 * minute, `${path}/a.ts`));
}

function hours(): DoubleCommit[] {
  const nox = ['2026-11-06T01:00:00Z', '2026-11-06T12:00:00Z', '2026-11-06T18:00:00Z', '2026-11-07T03:00:00Z'];
  const owl = ['2026-11-09T18:00:00Z', '2026-11-10T18:00:00Z', '2026-11-11T18:00:00Z', '2026-11-12T16:00:00Z'];
  return [
    ...nox.map((at) => note('nox', Date.parse(at))),
    ...owl.map((at) => note('owl', Date.parse(at), 'notes/a.md', 420)),
  ];
}

function endings(now: Instant): DoubleCommit[] {
  const daysAgo: [string, number[]][] = [
    ['gone', [20, 25, 30]],
    ['faded', [21, 26]],
    ['eight', [50, 52, 54, 56, 58, 60, 62, 64]],
    ['nine', [51, 53, 55, 57, 59, 61, 63, 65, 67]],
  ];
  return daysAgo.flatMap(([login, days]) => days.map((back) => note(login, now - back * day - 4 * hour)));
}

/** A merge, and a commit that touches the root, a directory, a deep directory and a workflow. */
const special = (now: Instant): DoubleCommit[] => [
  aCommit(now - 5 * day + 2 * hour, anActor('cy'), 'Merge pull request #1 from octo/count-lamps', { parents: 2 }),
  aCommit(now - 7 * day, anActor('dee'), 'Everywhere', {
    files: ['a.ts', 'src/a.ts', 'src/lib/x/a.ts', '.github/workflows/ci.yml'].map((path) => aFile(path)),
  }),
];

const note = (login: string, at: Instant, path = 'notes/a.md', offset = 0) =>
  aCommit(at, anActor(login), `Change ${path}`, { files: [aFile(path)], offset });

/**
 * Issues of octo/web over 30 days: 7 open (2, 2, 2 and 1 by age), 5 opened, 3 closed of which one as not planned and
 * by a bot (after 2, 95 and 20 days); of the open ones 3 stale, 2 unlabelled, 4 unassigned, 3 unanswered.
 */
export function webIssues(now: Instant, strangeTitle: string): (Partial<DoubleIssue> & { number: number })[] {
  const at = (days: number) => now - days * day;
  const [bug, ui, question] = [label('bug', 'd73a4a'), label('ui', '1d76db'), label('question', 'd876e3')];
  return [
    { number: 51, createdAt: at(3), labels: [bug], assignees: ['ann'], comments: 2 },
    { number: 52, createdAt: at(5) },
    { number: 53, createdAt: at(20), updatedAt: at(2), labels: [bug, ui], assignees: ['ann', 'bo'], comments: 1 },
    { number: 54, createdAt: at(20), labels: [ui] },
    { number: 55, createdAt: at(45) },
    { number: 56, createdAt: at(60), updatedAt: at(31), labels: [question], assignees: ['bo'], comments: 3 },
    { number: 57, createdAt: at(200), labels: [bug], author: null, title: strangeTitle },
    { number: 61, createdAt: at(10), closedAt: at(8), labels: [bug], comments: 1 },
    {
      number: 62,
      createdAt: at(100),
      closedAt: at(5),
      closeReason: 'not_planned',
      closedBy: anActor('tidy[bot]'),
    },
    { number: 63, createdAt: at(40), closedAt: at(20), assignees: ['bo'], comments: 4 },
    { number: 64, createdAt: at(70), closedAt: at(40) },
  ];
}

const label = (name: string, color: string) => ({ name, color });

/** Two days ago: a success, which the last one made inactive; a failure; an error; a success; one in progress. */
export function webDeployments(): DoubleDeployment[] {
  const at = (time: string) => Date.parse(`2026-11-14T${time}:00Z`);
  const outcomes = [
    ['00:00', 'success'],
    ['10:00', 'failure'],
    ['11:00', 'error'],
    ['14:00', 'success'],
    ['15:00', 'in_progress'],
  ] as const;
  return outcomes.map(([time, state], index) =>
    aDeployment({
      id: 8001 + index,
      createdAt: at(time) - 5 * minute,
      url: 'https://shop.example',
      statuses: [
        ...(state === 'in_progress' ? [] : [{ state: 'in_progress' as const, at: at(time) - 3 * minute }]),
        { state, at: at(time) },
        ...(index === 0 ? [{ state: 'inactive' as const, at: at('14:00') }] : []),
      ],
    }),
  );
}

/** A success of every day before, a failure two hours ago. */
export const brokenDeployments = (now: Instant): DoubleDeployment[] =>
  [3, 2, 1, 0].map((back) => {
    const createdAt = now - back * day - 2 * hour;
    const state = back === 0 ? 'failure' : 'success';
    return aDeployment({ id: 8110 - back, createdAt, statuses: [{ state, at: createdAt }] });
  });

/** Three that nobody let start, by a deleted account. */
export const pendingDeployments = (now: Instant): DoubleDeployment[] =>
  [1, 2, 3].map((id) =>
    aDeployment({ id: 8200 + id, createdAt: now - id * day, creator: null, statuses: [{ state: 'pending', at: now }] }),
  );

/** 36, the newest 58 days old. */
export const staleDeployments = (now: Instant): DoubleDeployment[] =>
  Array.from({ length: 36 }, (_, index) => {
    const createdAt = now - (58 + index) * day;
    return aDeployment({ id: 8336 - index, createdAt, statuses: [{ state: 'success', at: createdAt + minute }] });
  });

/** Two environments of which the name of the second says that it is production. */
export const twoEnvironments = (now: Instant): DoubleDeployment[] =>
  ['domain-staging', 'Production — app'].map((environment, index) => {
    const createdAt = now - (index + 1) * day;
    return aDeployment({ id: 8401 + index, environment, createdAt, statuses: [{ state: 'success', at: createdAt }] });
  });

/** Two real ones in the last 90 days; one to try, one draft, one long ago. */
export const webReleases = (now: Instant): DoubleRelease[] => [
  aRelease({ id: 301, tag: 'v0.9.0', createdAt: now - 400 * day }),
  aRelease({ id: 302, tag: 'v1.0.0', createdAt: now - 60 * day }),
  aRelease({ id: 303, tag: 'v1.1.0', createdAt: now - 20 * day }),
  aRelease({ id: 304, tag: 'v1.2.0-rc.1', createdAt: now - 3 * day, isPrerelease: true }),
  aRelease({ id: 305, tag: 'v2.0.0', createdAt: now - day, isDraft: true }),
];
