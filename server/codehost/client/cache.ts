import { LRUCache } from 'lru-cache';
import type { Instant } from '../../metrics/kernel/facts.ts';
import type { Problem } from '../../platform/problem.ts';
import { createSharedWork } from '../../platform/shared-work.ts';

/** What was read, as facts, with what is needed to check whether it is still valid. */
export interface Copy {
  kind: 'copy';
  value: unknown;
  etag: string | null;
  checkedAt: Instant;
  /** true while it is the fallback for an answer that is not available. */
  stale: boolean;
  freshUntil: Instant;
}

/** An error that is remembered for a while. */
export interface CachedError {
  kind: 'error';
  problem: Problem;
  freshUntil: Instant;
}

/** Copies of answers for all clients of a process, each under the hash of the token that read it. */
export interface Memory {
  get(tokenHash: string, key: string): Copy | CachedError | undefined;
  set(tokenHash: string, key: string, entry: Copy | CachedError): void;
  delete(tokenHash: string, key: string): void;
  /** Drops everything a token has read. */
  forget(tokenHash: string): void;
  /** Runs `work` once for all who ask for the same at the same time. */
  shared<T>(tokenHash: string, key: string, work: () => Promise<T>): Promise<T>;
}

/** Bounded by the size of its entries, counted in characters of JSON. */
export function createMemory(maxCharacters: number): Memory {
  const memory = new LRUCache<string, Copy | CachedError>({ maxSize: maxCharacters });
  const running = createSharedWork();
  return {
    get: (tokenHash, key) => memory.get(full(tokenHash, key)),
    set(tokenHash, key, entry) {
      const size = 500 + (entry.kind === 'copy' ? JSON.stringify(entry.value).length : 0);
      memory.set(full(tokenHash, key), entry, { size });
    },
    delete(tokenHash, key) {
      memory.delete(full(tokenHash, key));
    },
    forget(tokenHash) {
      for (const key of [...memory.keys()]) if (key.startsWith(tokenHash)) memory.delete(key);
    },
    shared: (tokenHash, key, work) => running.join(full(tokenHash, key), work),
  };
}

const full = (tokenHash: string, key: string) => `${tokenHash} ${key}`;
