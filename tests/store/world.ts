import fc from 'fast-check';
import {
  type Conclusion,
  conclusions,
  type Repository,
  runStatuses,
  type WorkflowRun,
} from '../../server/metrics/kernel/facts.ts';
import type { Store } from '../../server/store/orm.ts';
import type { StoredRun } from '../../server/store/stored-run.ts';

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;
export const noon = Date.UTC(2026, 2, 10, 12);

export const repository = (id: number, repo = `repo-${id}`): Repository => ({
  id,
  owner: 'Octo',
  repo,
  description: null,
  htmlUrl: `https://codehost.test/Octo/${repo}`,
  language: null,
  private: false,
  visibility: 'public',
  stars: 0,
  hasIssues: true,
  archived: false,
  fork: false,
  defaultBranch: 'main',
  ownerType: 'org',
  createdAt: null,
  updatedAt: null,
  pushedAt: null,
});

export const track = (store: Store, id = 1) => store.repositories.track(repository(id), 'ann', noon);

/** All runs of a repository that were created from then on have been read. */
export const readBackTo = (store: Store, repoId: number, backfilledTo: number, syncedThrough: number | null = noon) =>
  store.cursors.put(repoId, { syncedThrough, backfilledTo, deepAt: null, resume: null });

/** A completed run of ten minutes, unless configured otherwise. */
export const run = (id: number, differing: Partial<WorkflowRun> = {}): WorkflowRun => {
  const createdAt = differing.createdAt ?? noon;
  return {
    id,
    attempt: 1,
    workflowId: 7,
    workflowName: 'build',
    runNumber: id % 100_000,
    displayTitle: null,
    event: 'push',
    status: 'completed',
    conclusion: 'success',
    headBranch: 'main',
    headSha: 'a'.repeat(40),
    actor: { login: 'ann', avatarUrl: 'https://codehost.test/ann.png', isBot: false },
    triggeringActor: null,
    createdAt,
    startedAt: createdAt + minute,
    updatedAt: createdAt + 11 * minute,
    htmlUrl: `https://codehost.test/Octo/repo-1/actions/runs/${id}`,
    ...differing,
  };
};

const endings = ['success', 'failure', 'cancelled', 'timed_out', 'skipped', null] as const;

/** A completed run whose wait, duration and ending follow from its id. */
export const varied = (id: number, createdAt: number): WorkflowRun =>
  run(id, {
    createdAt,
    startedAt: createdAt + (id % 50) * 1000,
    updatedAt: createdAt + minute + (id % 37) * minute,
    conclusion: endings[id % endings.length] ?? null,
  });

const actors = ['ann', 'bo', 'robot[bot]'].map((login) => ({
  login,
  avatarUrl: `https://codehost.test/${login}.png`,
  isBot: login.endsWith('[bot]'),
}));

const actor = fc.constantFrom(null, ...actors);
const text = fc.constantFrom('x', 'ü', 'long name, with "quotes" {and} \\ more');

/** An observation of a small world: few runs and few moments, so that repetitions and ties are common. */
const observation = (first: number, days: number) =>
  fc
    .record({
      id: fc.integer({ min: 1, max: 12 }),
      attempt: fc.integer({ min: 1, max: 5 }),
      status: fc.constantFrom(...runStatuses),
      conclusion: fc.constantFrom<Conclusion | null>(null, ...conclusions),
      updated: fc.integer({ min: 0, max: 6 }),
      started: fc.option(fc.integer({ min: -2, max: 90 })),
      workflowName: fc.option(text),
      headBranch: fc.option(text),
      actor,
      triggeringActor: actor,
    })
    .map(({ updated, started, ...rest }): WorkflowRun => {
      // Creation belongs to the run, not to the observation.
      const createdAt = first + Math.floor(((rest.id * 7) % 12) * (days / 12) * day);
      return run(rest.id, {
        ...rest,
        createdAt,
        startedAt: started === null ? null : createdAt + (rest.attempt - 1) * day + started * minute,
        updatedAt: createdAt + (rest.attempt - 1) * day + updated * 20 * minute,
      });
    });

export const observations = (first = noon, days = 40) => fc.array(observation(first, days), { maxLength: 60 });

/** The same elements in another order, some of them twice, cut into calls. */
export const deliveries = <T>(items: T[]) =>
  fc
    .tuple(
      fc.shuffledSubarray(items, { minLength: items.length }),
      fc.subarray(items),
      fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 10 }),
    )
    .map(([shuffled, again, sizes]) => cut([...shuffled, ...again], sizes));

function cut<T>(items: T[], sizes: number[]): T[][] {
  const calls: T[][] = [];
  for (let rest = items, i = 0; rest.length > 0; i++) {
    const size = sizes[i % sizes.length] ?? 1;
    calls.push(rest.slice(0, size));
    rest = rest.slice(size);
  }
  return calls;
}

/** When something was seen is not part of what was seen. */
export const unseen = (runs: StoredRun[]) => runs.map(({ syncedAt: _, ...rest }) => rest);
