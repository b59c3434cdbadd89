// Kept facts and their metrics against bare SQL and facts in memory.  node tests/bench/facts.mjs [rounds]
import pg from 'pg';
import { noTotals } from '../../server/codehost/client/totals.ts';
import { deliveryEstimate } from '../../server/metrics/delivery/delivery.ts';
import { lastDaysWindow } from '../../server/metrics/kernel/window.ts';
import { contributorRows, windowSample } from '../../server/metrics/people/contributors.ts';
import { createPeople } from '../../server/metrics/people/people.ts';
import { createCalendar } from '../../server/metrics/people/workday-hours.ts';
import { workloadRows } from '../../server/metrics/people/workload.ts';
import { cycleBreakdown } from '../../server/metrics/pull-requests/cycle.ts';
import { reviewPairs } from '../../server/metrics/pull-requests/review-pairs.ts';
import { createDatabase } from '../support/created-databases.ts';
import { findPrograms, startServer } from '../support/postgres.ts';
import { dice, median, openBench, print, timed } from './made.mjs';

const [rounds = 11] = process.argv.slice(2).map(Number);
const [pulls, commits] = [3000, 15_000];
const now = Date.UTC(2026, 2, 1);
const [hour, day] = [3_600_000, 86_400_000];
const windowDays = 90;
const random = dice();

const account = (n) => ({ login: `person-${n}`, avatarUrl: `https://avatars.test/u/${n}?v=4`, isBot: n === 0 });
const sha = () => (random(2 ** 31) * 7919).toString(16).padStart(40, '0');

function madePull(number) {
  const mergedAt = now - Math.floor((number / pulls) * windowDays * day) - random(1000);
  const createdAt = mergedAt - random(100) * hour - 6 * hour;
  const author = account(random(60));
  const review = (_, i) => ({
    id: `PRR_${number}_${i}`,
    reviewer: account(random(60)),
    commitSha: sha(),
    comments: random(5),
    state: i === 3 ? 'approved' : 'commented',
    submittedAt: createdAt + (i + 1) * hour,
  });
  return {
    number,
    title: null,
    author,
    state: 'merged',
    isDraft: false,
    isRevert: random(50) === 0,
    createdAt,
    updatedAt: mergedAt,
    closedAt: mergedAt,
    mergedAt,
    mergedBy: account(random(60)),
    baseBranch: 'main',
    headBranch: `feature/change-${number}`,
    headSha: sha(),
    labels: ['feature', 'web'],
    additions: random(500),
    deletions: random(200),
    changedFiles: random(20),
    commitCount: 1 + random(8),
    firstCommitAt: createdAt - 5 * hour,
    reviews: Array.from({ length: 4 }, review),
    reviewsTruncated: false,
    clock: [{ kind: 'review_requested', at: createdAt + 1, login: `person-${random(60)}` }],
    htmlUrl: `https://codehost.test/bench/repo-1/pull/${number}`,
  };
}

function madeCommit(n) {
  const committedAt = now - Math.floor((n / commits) * windowDays * day) - random(1000);
  const author = account(random(60));
  return {
    sha: sha().slice(8) + n.toString(16).padStart(8, '0'),
    author,
    authorName: author.login,
    authoredAt: committedAt - hour,
    committedAt,
    parents: 1 + random(2),
    additions: random(300),
    deletions: random(100),
    changedFiles: random(9),
  };
}

const repository = {
  id: 1,
  owner: 'bench',
  repo: 'repo-1',
  description: null,
  htmlUrl: 'https://codehost.test/bench/repo-1',
  language: null,
  private: false,
  visibility: 'public',
  stars: 0,
  archived: false,
  fork: false,
  defaultBranch: 'main',
  ownerType: 'org',
  createdAt: null,
  updatedAt: null,
  pushedAt: null,
};
const since = now - windowDays * day - hour;
const toSyncState = (kind) => ({ kind, floor: since, through: now, capped: false, ...noTotals });

const people = createPeople();
const calendar = createCalendar('UTC');
const window = lastDaysWindow(windowDays, now);
const scope = {
  window,
  now,
  calendar,
  people,
  defaultBranch: 'main',
  repositoryCreatedAt: null,
  hasDeployments: false,
};
const workday = { calendar, start: 9, end: 18 };
const scopes = [
  [
    'delivery and cycle',
    'pull_requests',
    (facts) => [deliveryEstimate(facts, [], scope), cycleBreakdown(facts, scope)],
  ],
  [
    'contributors and review pairs',
    'pull_requests',
    (facts) => [contributorRows(windowSample(facts, window), people), reviewPairs(windowSample(facts, window), people)],
  ],
  [
    'workload',
    'commits',
    (facts) =>
      workloadRows({
        commits: facts,
        openPullRequests: [],
        windowDays,
        now,
        workday,
        people,
        isOpenKnown: true,
        isCapped: false,
      }),
  ],
];
const bare = { pull_requests: 'select * from pr_facts where repo_id = $1 and coalesce(merged_at, closed_at) >= $2' };
bare.commits = 'select * from branch_commits where repo_id = $1 and committed_at >= $2';

/** The rows as they come, which is less than any reader could do. */
const asSent = { getTypeParser: () => (value) => value };

async function measure(url) {
  const store = await openBench(url);
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  const facts = {
    pull_requests: Array.from({ length: pulls }, (_, i) => madePull(i + 1)),
    commits: Array.from({ length: commits }, (_, i) => madeCommit(i)),
  };
  const bring = (replaces) =>
    store.facts.store(
      repository,
      Object.entries(facts).map(([kind, items]) => ({ syncState: toSyncState(kind), items, replaces })),
    );
  const first = await timed(() => bring(true));
  const again = await timed(() => bring(false));
  console.log(`${pulls} pull requests and ${commits} commits: kept in ${ms(first)} ms, again in ${ms(again)} ms`);
  await client.query('vacuum analyze');
  const id = await store.repositories.known(repository);
  const table = {};
  for (const [label, kind, figures] of scopes) {
    const ours = async () => figures(await store.facts.facts(repository, kind, since));
    const limit = async () => {
      await client.query({
        name: kind,
        text: bare[kind],
        values: [id, new Date(since)],
        rowMode: 'array',
        types: asSent,
      });
      figures(facts[kind]);
    };
    const [a, b, read, pure] = [[], [], [], []];
    for (let round = 0; round < rounds; round++) {
      a.push(await timed(ours));
      b.push(await timed(limit));
      read.push(await timed(() => store.facts.facts(repository, kind, since)));
      pure.push(await timed(() => figures(facts[kind])));
    }
    table[label] = {
      ms: ms(median(a)),
      'bare SQL and figures, ms': ms(median(b)),
      ratio: ms(median(a) / median(b)),
      'reading alone, ms': ms(median(read)),
      'figures alone, ms': ms(median(pure)),
    };
  }
  print(`median of ${rounds} rounds`, table);
  await client.end();
  await store.close();
}

const ms = (value) => Math.round(value * 100) / 100;

const server = await startServer(findPrograms());
try {
  await measure(await createDatabase(server.socket));
} finally {
  await server.stop();
}
