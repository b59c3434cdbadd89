import { beforeAll, beforeEach } from 'vitest';
import type { Store } from '../../server/store/orm.ts';
import { type PullRequestCommitSync, syncPullRequestCommits } from '../../server/sync/pull-request-commits.ts';
import {
  type PullRequestSync,
  type PullRequestSyncOptions,
  syncPullRequests,
} from '../../server/sync/pull-requests.ts';
import { withDouble } from '../codehost/double.ts';
import { namedNow } from '../codehost-double/named-world.ts';
import { type DoubleRepository, repositoryOf } from '../codehost-double/world.ts';
import type { TestDatabase } from '../support/database.ts';
import { day } from './stage.ts';

type Client = ReturnType<ReturnType<typeof withDouble>['as']>;
type Options = Partial<PullRequestSyncOptions>;

interface Stage {
  platform: ReturnType<typeof withDouble>;
  store: Store;
  client: Client;
  name: string;
  repoId: number;
  readonly repository: DoubleRepository;
  sync(options?: Options): Promise<PullRequestSync>;
  syncCommits(options?: Options): Promise<PullRequestCommitSync>;
  /** What is stored of pull requests that ended in the last 90 days, and what the platform has. */
  stored(): Promise<object[]>;
  wanted(): object[];
  /** The commits of pull requests merged in the last 90 days, as they are stored, and as the platform has them. */
  storedCommits(): ReturnType<typeof storedCommits>;
  wantedCommits(): ReturnType<typeof commitsSince>;
  since(): number;
  /** Requests sent since this was requested last, and their points. */
  spent(): { requests: number; points: number };
}

/** For each test an empty repository that is tracked, a patient client, and the store of the whole suite. */
export function pullRequestStage(given: TestDatabase): Stage {
  const platform = withDouble();
  let number = 0;
  const optionsWith = (options: Options): PullRequestSyncOptions => {
    const { codehost, clock } = stage.client;
    return { codehost, clock, store: stage.store, facts: stage.store.facts, mayContinue: () => true, ...options };
  };
  const stage: Stage = {
    platform,
    store: null as unknown as Store,
    client: null as unknown as Client,
    name: '',
    repoId: 0,
    get repository() {
      return repositoryOf(platform.double.world, stage.name);
    },
    sync: (options = {}) => syncPullRequests(stage.repoId, stage.repository.facts, optionsWith(options)),
    syncCommits: (options = {}) => syncPullRequestCommits(stage.repoId, stage.repository.facts, optionsWith(options)),
    async stored() {
      const facts = await stage.store.facts.facts(stage.repository.facts, 'pull_requests', stage.since());
      return inOrder(facts.map(comparable));
    },
    wanted: () => endedSince(stage.repository, stage.since()),
    storedCommits: async () => storedCommits(stage.store, stage.repoId, stage.since()),
    wantedCommits: () => commitsSince(stage.repository, stage.since()),
    since: () => stage.client.clock.now() - 90 * day,
    spent() {
      const { double } = platform;
      const spent = { requests: double.requests.length, points: double.spent('graphql') };
      double.requests.length = 0;
      return spent;
    },
  };
  beforeAll(async () => {
    stage.store = await given.open();
  });
  beforeEach(async () => {
    number++;
    stage.name = `octo/pulls-${number}`;
    platform.double.addRepository({ name: stage.name, facts: { id: 70_000 + number } });
    stage.repoId = await stage.store.repositories.track(stage.repository.facts, 'ann', namedNow);
    stage.client = platform.as();
  });
  return stage;
}

/** Says yes so many times, and no from then on. */
export const allowing = (times: number) => {
  let left = times;
  return { mayContinue: () => left-- > 0 };
};

type Comparable = Pick<DoubleRepository['pullRequests'][number], (typeof compared)[number]>;
const compared = ['number', 'state', 'updatedAt', 'closedAt', 'mergedAt', 'additions', 'changedFiles'] as const;

const comparable = (one: Comparable) => Object.fromEntries(compared.map((field) => [field, one[field]]));

const inOrder = <T>(items: T[]) => items.sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));

const endedSince = ({ pullRequests }: DoubleRepository, since: number) =>
  inOrder(pullRequests.filter((one) => one.state !== 'open' && (one.closedAt ?? 0) >= since).map(comparable));

export const storedCommits = async (store: Store, repoId: number, since: number) =>
  inOrder(
    (await store.pullRequestCommits.merged(repoId, since)).map(({ author, prAuthor, ...rest }) => ({
      ...rest,
      author: author?.login ?? null,
      prAuthor: prAuthor?.login ?? null,
    })),
  );

/** Every commit the platform has; `first` of each pull request. */
export const commitsSince = ({ pullRequests, commits }: DoubleRepository, since: number, first = 500) =>
  inOrder(
    pullRequests
      .filter(({ mergedAt }) => mergedAt !== null && mergedAt >= since)
      .flatMap((pull) =>
        pull.commits.slice(0, first).map((commit) => ({
          prNumber: pull.number,
          mergedAt: pull.mergedAt,
          prAuthor: plain(pull.author?.login),
          sha: commit.sha,
          author: plain(commit.author?.login),
          authorName: commit.authorName,
          authoredAt: commit.authoredAt,
          isMerge: commit.parents > 1 && commits.length > 1,
          additions: commit.files.reduce((sum, { additions }) => sum + additions, 0),
          deletions: commit.files.reduce((sum, { deletions }) => sum + deletions, 0),
          changedFiles: commit.files.length,
        })),
      ),
  );

const plain = (login: string | undefined) => login?.replace(/\[bot\]$/, '') ?? null;
