import { LRUCache } from 'lru-cache';
import type { Instant } from '../metrics/kernel/facts.ts';
import type { Clock } from '../platform/clock.ts';
import type { Store } from '../store/orm.ts';

/** Results that are costly to make again, stored as JSON between requests. What has expired is not there. */
export interface AnswerCache {
  get<T>(key: string): Promise<{ value: T; madeAt: Instant } | null>;
  /** Keeps an answer where there is none; answers whether there was none. */
  claim(key: string, value: unknown, madeAt: Instant, expiresAt: Instant): Promise<boolean>;
  /** Keeps an answer in place of an older one. */
  put(key: string, value: unknown, madeAt: Instant, expiresAt: Instant): Promise<void>;
}

/** Answers in the database, for all processes. */
export const storedAnswers = ({ answers }: Pick<Store, 'answers'>, clock: Clock): AnswerCache => ({
  get: <T>(key: string) => answers.get<T>(key, clock.now()),
  claim: (key, value, madeAt, expiresAt) => answers.claim(key, value, madeAt, expiresAt - madeAt),
  put: (key, value, madeAt, expiresAt) => answers.put(key, value, madeAt, expiresAt - madeAt),
});

/** Answers of this process, of at most `maxCharacters` as JSON; the least recently used are evicted first. */
export function memoryAnswers(clock: Clock, maxCharacters = 16_000_000): AnswerCache {
  const entries = new LRUCache<string, { json: string; madeAt: Instant; expiresAt: Instant }>({
    maxSize: maxCharacters,
    sizeCalculation: ({ json }, key) => json.length + key.length + 1,
  });
  return {
    async get<T>(key: string) {
      const found = entries.get(key);
      return found && found.expiresAt > clock.now()
        ? { value: JSON.parse(found.json) as T, madeAt: found.madeAt }
        : null;
    },
    async claim(key, value, madeAt, expiresAt) {
      const older = entries.peek(key);
      if (older && older.expiresAt > madeAt) return false;
      entries.set(key, { json: JSON.stringify(value), madeAt, expiresAt });
      return true;
    },
    async put(key, value, madeAt, expiresAt) {
      const older = entries.peek(key);
      if (!older || older.madeAt <= madeAt) entries.set(key, { json: JSON.stringify(value), madeAt, expiresAt });
    },
  };
}
