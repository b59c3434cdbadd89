import { LRUCache } from 'lru-cache';

/** An answer to give again, with what it was made of. */
export interface ReusedAnswer {
  answer: object;
  /** Its own response headers. */
  headers: readonly (readonly [name: string, value: string])[];
  /** Of everything stored that it was made of. */
  versions: string;
  /** It is true from then on, as long as the versions stay; epoch milliseconds. */
  madeAt: number;
  /** And before then. */
  until: number;
}

/** Answers of this process by what was requested and what the caller may see. */
export type ReusedAnswers = LRUCache<string, ReusedAnswer>;

/** Bounded by the size of the answers, in characters of JSON. */
export const createReusedAnswers = (maxCharacters: number): ReusedAnswers => new LRUCache({ maxSize: maxCharacters });
