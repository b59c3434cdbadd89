import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Instant } from '../metrics/kernel/facts.ts';
import type { ProviderAccess } from '../settings/ai-provider.ts';
import type { CachedAnswer } from '../store/ai-cache.ts';
import type { Store } from '../store/orm.ts';

/** Where checked answers are stored: in the database for all processes, or in memory without one. */
export type AnswerCache = Store['aiCache'];

const maxAnswers = 500;

/** Answers of this process; those longest not requested go first. */
export function memoryCache(): AnswerCache {
  const cached = new LRUCache<string, CachedAnswer & { expiresAt: Instant }>({ max: maxAnswers });
  return {
    async get(keys, now) {
      const found = keys.map((key) => cached.get(key)).find((one) => one && one.expiresAt > now);
      return found ? { payload: structuredClone(found.payload), createdAt: found.createdAt } : null;
    },
    async put(key, payload, now, ttlMs) {
      cached.set(key, { payload: structuredClone(payload), createdAt: now, expiresAt: now + ttlMs });
    },
  };
}

interface CacheKeyParts {
  surface: { name: string; promptVersion: number };
  scope: string;
  /** The snapshot as it is sent. */
  prompt: string;
}

/** Under what the answer of a provider is stored: everything that it depends on, the key of the provider excluded. */
export const cacheKey = (
  { surface, scope, prompt }: CacheKeyParts,
  { provider, model, baseUrl }: Pick<ProviderAccess, 'provider' | 'model' | 'baseUrl'>,
): string =>
  sha256(JSON.stringify([surface.name, scope, sha256(prompt), provider, model, baseUrl, surface.promptVersion]));

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
