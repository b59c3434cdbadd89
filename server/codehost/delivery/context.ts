import { z } from 'zod';
import type { Instant, RepositoryName } from '../../metrics/kernel/facts.ts';
import type { Clock } from '../../platform/clock.ts';
import { MissingFields } from '../client/failures.ts';
import { nameKey, repositoryParams } from '../client/names.ts';
import type { TokenPool } from '../client/pool.ts';
import type { Reader } from '../client/reader.ts';
import type { PartError, Transport } from '../client/transport.ts';
import { noteName } from '../repositories/repositories.ts';
import type { ActorOf } from '../runs/wire.ts';

/** What the reads of pull requests, commits, issues, releases and deployments work with. */
export interface DeliveryContext {
  transport: Transport;
  reader: Reader;
  pool: TokenPool;
  clock: Clock;
  toActor: ActorOf;
}

/** Variables of a query about a repository. */
export function repositoryVariables(name: RepositoryName): { owner: string; name: string } {
  const { owner, repo } = repositoryParams(name);
  return { owner, name: repo };
}

/** Names the answering repository; every query about one requests it. */
export const repositoryNameField = 'name owner { login }';

/**
 * Reads the repository of an answer and records its name; `inside` reads what was requested about it.
 * Throws the problem the errors mean when there is none.
 */
export function repositoryIn<S extends z.ZodRawShape>(
  { pool }: DeliveryContext,
  requested: RepositoryName,
  inside: S,
): (data: unknown, errors: PartError[]) => z.output<z.ZodObject<S>> & { name: string; owner: { login: string } } {
  const schema = z.object({ repository: z.object({ ...inside, ...repositoryName }).nullish() });
  return (data, errors) => {
    const { repository } = schema.parse(data);
    if (!repository) throw new MissingFields(['repository'], errors);
    const found = repository as z.output<z.ZodObject<S>> & { name: string; owner: { login: string } };
    noteName(pool, requested, { owner: found.owner.login, repo: found.name });
    return found;
  };
}

/**
 * Reads under the name a repository has now: a search under an old one finds nothing. When the answer reports
 * a new name, it is read once more.
 */
export async function withRenameRetry<T>(
  { pool }: DeliveryContext,
  requested: RepositoryName,
  read: (name: RepositoryName) => Promise<T>,
): Promise<T> {
  const current = pool.renamed.get(nameKey(requested)) ?? requested;
  const value = await read(current);
  const found = pool.renamed.get(nameKey(current));
  if (!found) return value;
  noteName(pool, requested, found);
  return read(found);
}

/** A time as the platform's search and filters take it, to the second. */
export const isoSeconds = (instant: Instant) => `${new Date(instant).toISOString().slice(0, 19)}Z`;

/** The first full second not before an instant: the platform reports times in seconds. */
export const fromSecond = (instant: Instant) => isoSeconds(Math.ceil(instant / 1000) * 1000);

/** The start of an instant's day: lists are requested from there, so that rolling windows share a copy. */
export const toStartOfDay = (instant: Instant) => Math.floor(instant / dayMs) * dayMs;

/** Names an instant by its age in minutes: counts of a rolling window share a copy while it is fresh. */
export const toAgeMinutes = (instant: Instant, now: Instant) => Math.round((now - instant) / minuteMs);

export const minuteMs = 60_000;
export const dayMs = 86_400_000;

const repositoryName = { name: z.string(), owner: z.object({ login: z.string() }) };
