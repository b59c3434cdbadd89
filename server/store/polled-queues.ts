import type { Instant } from '../metrics/kernel/facts.ts';
import type { QueueConfiguration } from '../metrics/merge-queue/configuration.ts';
import type { answers } from './answers.ts';

/** What looking at a merge queue from time to time has shown. */
export interface PolledQueue {
  /** When it was last looked at. */
  at: Instant;
  /** The default branch. */
  branch: string;
  hasQueue: boolean;
  /** null where it could not be read, or there is no queue. */
  configuration: QueueConfiguration | null;
  /** When another configuration was first seen; null where it always was the same. */
  changedAt: Instant | null;
  /** Pull requests that were in it by what is stored, and were not. */
  missing: number[];
  /** Whether the stored state has the same entries. */
  agrees: boolean;
  /** Pull requests that were read again, when, and still differed; missing in what earlier versions stored. */
  inVain?: { numbers: number[]; at: Instant } | null;
}

const retentionMs = 400 * 24 * 3_600_000;

type Answers = ReturnType<typeof answers>;

/** The queue of a repository's default branch as it was last looked at, by the database's id; null where it never was. */
export async function readPolledQueue(
  { answers: { get } }: { answers: Pick<Answers, 'get'> },
  repoId: number,
  now: Instant,
): Promise<PolledQueue | null> {
  return (await get<PolledQueue>(toKey(repoId), now))?.value ?? null;
}

/** The same of several repositories at once; those that nobody looked at are absent. */
export async function readPolledQueues(
  { answers: { getMany } }: { answers: Pick<Answers, 'getMany'> },
  repoIds: readonly number[],
  now: Instant,
): Promise<ReadonlyMap<number, PolledQueue>> {
  const known = await getMany<PolledQueue>(repoIds.map(toKey), now);
  return new Map(
    repoIds.flatMap((id) => {
      const polled = known.get(toKey(id));
      return polled ? [[id, polled] as const] : [];
    }),
  );
}

export const storePolledQueue = (
  { answers: { put } }: { answers: Pick<Answers, 'put'> },
  repoId: number,
  polled: PolledQueue,
): Promise<void> => put(toKey(repoId), polled, polled.at, retentionMs);

const toKey = (repoId: number) => `polled merge queue ${repoId}`;
