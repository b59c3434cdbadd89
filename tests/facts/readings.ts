import { describe } from 'vitest';
import type { FactKind, FactOf, FactRepository } from '../../server/facts/fact-repository.ts';
import { readFacts } from '../../server/facts/facts.ts';
import { memoryFactRepository } from '../../server/facts/memory-fact-repository.ts';
import { factKeys } from '../../server/metrics/kernel/delivery-facts.ts';
import type { withDouble } from '../codehost/double.ts';
import { namedNow } from '../codehost-double/named-world.ts';
import { day, minute } from '../store/world.ts';
import { eachDatabase } from '../support/database.ts';
import { sorted } from './made-facts.ts';

const web = { owner: 'octo', repo: 'web' };
export const since = namedNow - 90 * day;
/** How old answers may be in these tests. */
export const maxAgeMs = 5 * minute;

/** Readings of facts from the double. */
export function readingsOf(platform: ReturnType<typeof withDouble>) {
  /** A reader with a client of its own, as another process or another person has one. */
  async function reader(factRepository: FactRepository, name = web, token?: string) {
    const { codehost, clock } = platform.as(token);
    const repository = await codehost.repositories.get(name);
    const source = { codehost, factRepository, clock };
    return {
      repository,
      clock,
      codehost,
      read: <Kind extends FactKind>(kind: Kind, request = {}) =>
        readFacts(source, repository, kind, { since, maxAgeMs, ...request }),
    };
  }
  return {
    reader,
    /** How many requests the platform got meanwhile, and what came of it. */
    async counting<T>(work: () => Promise<T>): Promise<[number, T]> {
      const before = platform.double.requests.length;
      const done = await work();
      return [platform.double.requests.length - before, done];
    },
    /** What a client without a memory of the past reads. */
    async freshlyRead<Kind extends FactKind>(kind: Kind, name = web): Promise<FactOf[Kind][]> {
      return known(kind, (await (await reader(memoryFactRepository(), name)).read(kind)).items);
    },
  };
}

/** In one order, and without titles, which no database keeps. */
export const known = <Kind extends FactKind>(kind: Kind, items: readonly FactOf[Kind][]) =>
  sorted(kind, items).map((fact) => ('title' in fact ? { ...fact, title: null } : fact) as FactOf[Kind]);

export const keys = <Kind extends FactKind>(kind: Kind, { items }: { items: FactOf[Kind][] }) =>
  items.map((fact) => factKeys[kind](fact));

/** Runs the same suite on the memory and on each database; `open` gives each test a factRepository of its own. */
export function onEachRepository(suite: (open: () => Promise<FactRepository>) => void): void {
  describe('in memory', () => suite(async () => memoryFactRepository()));
  eachDatabase((given) => {
    let opened: ReturnType<typeof given.openForAll> | undefined;
    let count = 0;
    suite(async () => {
      opened ??= given.openForAll();
      return apart((await opened).facts, 10_000 * ++count);
    });
  });
}

/** Another factRepository without another database: each sees its own repositories only. */
function apart(factRepository: FactRepository, ids: number): FactRepository {
  const own = <Known extends { id: number }>(repository: Known): Known => ({ ...repository, id: repository.id + ids });
  return {
    isDatabase: factRepository.isDatabase,
    syncStates: (repository) => factRepository.syncStates(own(repository)),
    store: (repository, batch) => factRepository.store(own(repository), batch),
    facts: (repository, kind, from) => factRepository.facts(own(repository), kind, from),
  };
}
