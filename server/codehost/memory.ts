import { LRUCache } from 'lru-cache';
import type { Instant } from '../metrics/facts.ts';
import type { Problem } from '../platform/problem.ts';
import { createSharedWork } from '../platform/shared-work.ts';

/** What was read, as facts, with what is needed to ask whether it still holds. */
export interface Copy {
  kind: 'copy';
  value: unknown;
  etag: string | null;
  checkedAt: Instant;
  /** true while it stands in for an answer that could not be had. */
  stale: boolean;
  freshUntil: Instant;
}

/** A refusal that is remembered for a while. */
export interface Refused {
  kind: 'refused';
  problem: Problem;
  freshUntil: Instant;
}

/** Copies of answers for all clients of a process, each under the hash of the token that read it. */
export interface Memory {
  get(tokenHash: string, key: string): Copy | Refused | undefined;
  set(tokenHash: string, key: string, kept: Copy | Refused): void;
  delete(tokenHash: string, key: string): void;
  /** Drops everything a token has read. */
  forget(tokenHash: string): void;
  /** Runs `work` once for all who ask for the same at the same time. */
  shared<T>(tokenHash: string, key: string, work: () => Promise<T>): Promise<T>;
}

/** Bounded by the size of what is kept, counted in characters of JSON. */
export function createMemory(mostCharacters: number): Memory {
  const kept = new LRUCache<string, Copy | Refused>({ maxSize: mostCharacters });
  const running = createSharedWork();
  return {
    get: (tokenHash, key) => kept.get(full(tokenHash, key)),
    set(tokenHash, key, entry) {
      const size = 500 + (entry.kind === 'copy' ? JSON.stringify(entry.value).length : 0);
      kept.set(full(tokenHash, key), entry, { size });
    },
    delete(tokenHash, key) {
      kept.delete(full(tokenHash, key));
    },
    forget(tokenHash) {
      for (const key of [...kept.keys()]) if (key.startsWith(tokenHash)) kept.delete(key);
    },
    shared: (tokenHash, key, work) => running.join(full(tokenHash, key), work),
  };
}

const full = (tokenHash: string, key: string) => `${tokenHash} ${key}`;
