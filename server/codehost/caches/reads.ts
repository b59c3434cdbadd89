import { z } from 'zod';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import type { Freshness } from '../client/client.ts';
import { repositoryParams } from '../client/names.ts';
import type { Reader, Reading } from '../client/reader.ts';

export interface CacheReads {
  caches: {
    /** What the caches of workflows take together. One request, cached for six hours. */
    usage(name: RepositoryName): Promise<{ bytes: number } & Freshness>;
  };
}

/** Reads of the caches of a repository's workflows. */
export const createCaches = (reader: Reader): CacheReads => ({
  caches: {
    async usage(name) {
      const { value: bytes, stale, asOf } = await reader.read(usageReading(name));
      return { bytes, stale, asOf };
    },
  },
});

const freshMs = 6 * 3_600_000;
/** A denied answer is not requested again at every view. */
const deniedMs = 3_600_000;

const usageReading = (name: RepositoryName): Reading<number> => ({
  operation: 'size of caches',
  route: 'GET /repos/{owner}/{repo}/actions/cache/usage',
  params: repositoryParams(name),
  repository: name,
  read: (data) => usageSchema.parse(data).active_caches_size_in_bytes,
  freshMs: () => freshMs,
  errorTtlMs: deniedMs,
  staleIfError: true,
});

const usageSchema = z.object({ active_caches_size_in_bytes: z.int().nonnegative() });
