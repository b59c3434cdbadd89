import { LRUCache } from 'lru-cache';
import type { Instant } from '../metrics/facts.ts';
import type { Clock } from '../platform/clock.ts';
import type { Store } from '../store/orm.ts';

/** Results that are costly to make again, kept as JSON between requests. What has expired is not there. */
export interface AnswerShelf {
  get<T>(key: string): Promise<{ value: T; madeAt: Instant } | null>;
  /** Keeps an answer in place of an older one. */
  put(key: string, value: unknown, madeAt: Instant, expiresAt: Instant): Promise<void>;
}

/** Answers in the database, for all processes. */
export const storedAnswers = ({ answers }: Pick<Store, 'answers'>, clock: Clock): AnswerShelf => ({
  get: <T>(key: string) => answers.get<T>(key, clock.now()),
  put: (key, value, madeAt, expiresAt) => answers.put(key, value, madeAt, expiresAt - madeAt),
});

/** Answers of this process, of at most `mostLetters` as JSON; those longest not asked for go first. */
export function memoryAnswers(clock: Clock, mostLetters = 16_000_000): AnswerShelf {
  const kept = new LRUCache<string, { json: string; madeAt: Instant; expiresAt: Instant }>({
    maxSize: mostLetters,
    sizeCalculation: ({ json }, key) => json.length + key.length + 1,
  });
  return {
    async get<T>(key: string) {
      const found = kept.get(key);
      return found && found.expiresAt > clock.now()
        ? { value: JSON.parse(found.json) as T, madeAt: found.madeAt }
        : null;
    },
    async put(key, value, madeAt, expiresAt) {
      const older = kept.peek(key);
      if (!older || older.madeAt <= madeAt) kept.set(key, { json: JSON.stringify(value), madeAt, expiresAt });
    },
  };
}
