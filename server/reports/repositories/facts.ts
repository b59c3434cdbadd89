import type { Context, Reply } from '../../access/context.ts';
import type { Platform } from '../../codehost/changes/client.ts';
import type { Freshness } from '../../codehost/client/client.ts';
import type { FactKind, FactOf } from '../../facts/fact-repository.ts';
import { type FactRequest, type FactSet, readFacts } from '../../facts/facts.ts';
import { peopleIn } from '../../identity/people.ts';
import type { Instant, Repository, RepositoryName } from '../../metrics/kernel/facts.ts';
import type { People } from '../../metrics/people/people.ts';
import { withRequests } from '../../platform/stored-only.ts';
import { noteCanonicalName, noteListing } from '../kernel/notes.ts';

/** A repository that the caller was shown to see, and how its facts are had. */
export interface RepositoryFacts {
  codehost: Platform;
  repository: Repository;
  people: People;
  now: Instant;
  /** Facts of one kind, the same for everyone who may see the repository; reports on the reply how fresh they are. */
  read<Kind extends FactKind>(kind: Kind, request: FactRequest): Promise<FactSet<FactOf[Kind]>>;
}

/**
 * When a window over these readings ends: now, or when the oldest of those was read that the platform could not renew,
 * so that an outage never looks like quiet days.
 */
export const knownUntil = (now: Instant, readings: readonly Freshness[]): Instant =>
  Math.min(now, ...readings.flatMap(({ stale, asOf }) => (stale ? asOf : [])));

/**
 * Proves that the caller may see the repository, and gives access to its facts; without the platform there is no proof,
 * which is requested also for an answer of what is stored.
 */
export async function repositoryFacts(
  { owner, repo }: RepositoryName,
  context: Context,
  reply: Reply,
): Promise<RepositoryFacts> {
  const { services } = context;
  const codehost = await context.codehost();
  const [repository, people] = await Promise.all([
    withRequests(() => codehost.repositories.get({ owner, repo })),
    peopleIn(services),
  ]);
  noteCanonicalName(reply, codehost, { owner, repo });
  const source = { codehost, factRepository: services.facts, clock: services.clock };
  return {
    codehost,
    repository,
    people,
    now: services.clock.now(),
    async read(kind, request) {
      const set = await readFacts(source, repository, kind, request);
      // How complete the answer is decides the report: a cap may have excluded what it does not need.
      noteListing(reply, { ...set, partial: false });
      return set;
    },
  };
}
