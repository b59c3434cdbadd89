import { LRUCache } from 'lru-cache';
import type { Instant, Repository } from '../metrics/kernel/facts.ts';
import type { FactRepository } from './fact-repository.ts';

/** Anything with a title; issues and pull requests of a repository share their numbers. */
interface Titled {
  number: number;
  title: string | null;
  updatedAt: Instant;
}

/** Titles that this process has read lately; they are never stored. */
export interface TitleMemory {
  note(facts: readonly Titled[]): void;
  has(fact: Titled): boolean;
  put(fact: Titled, title: string): void;
  /** The same facts with their titles, as far as they are known. */
  fill<Fact extends Titled>(facts: readonly Fact[]): Fact[];
}

/** Titles of the demo and of the service never meet, as their facts do not. */
const caches = new WeakMap<FactRepository, LRUCache<string, string>>();
const maxTitles = 20_000;

export function titlesBeside(factRepository: FactRepository, repository: Repository): TitleMemory {
  const titles =
    caches.get(factRepository) ?? new LRUCache<string, string>({ maxSize: maxTitles, sizeCalculation: () => 1 });
  caches.set(factRepository, titles);
  // A title changes together with the time of the last update.
  const toKey = ({ number, updatedAt }: Titled) => `${repository.id} ${number} ${updatedAt}`;
  return {
    note(facts) {
      for (const one of facts) if (one.title !== null) titles.set(toKey(one), one.title);
    },
    has: (fact) => fact.title !== null || titles.has(toKey(fact)),
    put: (fact, title) => void titles.set(toKey(fact), title),
    fill: (facts) => facts.map((one) => ({ ...one, title: one.title ?? titles.get(toKey(one)) ?? null })),
  };
}
