import { hash } from 'node:crypto';
import type { Context } from '../../access/context.ts';
import type { Dependencies } from '../../api/operation.ts';
import type { Instant, Repository, RepositoryName } from '../../metrics/kernel/facts.ts';
import type { ScopeInput } from '../ci/reading.ts';
import { listOwnRepositories, listVisibleRepositories, visibleRepository } from '../repositories/visibility.ts';

const shared = ['accounts', 'settings', 'links'] as const;

/** What an answer from stored facts is made of, up to an instant. */
export async function dependOnRepository(
  name: RepositoryName,
  context: Context,
  until: Instant,
): Promise<Dependencies> {
  const repository = await visibleRepository(name, context);
  return { scopes: [`repo:${repository.id}`, ...shared], sees: describe(repository), until };
}

/** The same of every repository of an owner, or without one of all that the caller's token lists as their own. */
export async function dependOnOwner(
  owner: string | undefined,
  context: Context,
  until: Instant,
): Promise<Dependencies> {
  const { items, partial } = await (owner ? listVisibleRepositories(owner, context) : listOwnRepositories(context));
  const seen = `${partial}\n${items.map(describe).join('\n')}`;
  return { scopes: ['facts', ...shared], sees: hash('sha1', seen, 'base64url'), until };
}

/**
 * What a report is made of that reads the platform with the caller's own token beside stored facts; null until a request
 * of the report has proved the repository visible. Its windows end now.
 */
export async function dependOnReadings(name: RepositoryName, context: Context): Promise<Dependencies | null> {
  const { token } = await context.actor();
  const repository = (await context.codehost()).repositories.known(name);
  if (!repository) return null;
  return {
    scopes: [`repo:${repository.id}`, ...shared],
    sees: `${describe(repository)} ${hash('sha1', token, 'base64url')}`,
    until: untilWindowsMove(context.services.clock.now()),
  };
}

/** When days, as any time zone cuts them, may be others: zones differ by quarters of an hour. */
export const untilDaysMove = (now: Instant): Instant => (Math.floor(now / quarterHourMs) + 1) * quarterHourMs;

/** The same for windows that end now: the answer says when that was. */
export const untilWindowsMove = (now: Instant): Instant => Math.min(untilDaysMove(now), now + minuteMs);

const minuteMs = 60_000;
const quarterHourMs = 15 * minuteMs;

/** What a scope of `/ci` and its like is made of; the windows of these end now. */
export function dependOnScope({ org, repo }: ScopeInput, context: Context): Promise<Dependencies> {
  const until = untilWindowsMove(context.services.clock.now());
  const [owner = '', name = ''] = repo?.split('/') ?? [];
  return repo ? dependOnRepository({ owner, repo: name }, context, until) : dependOnOwner(org, context, until);
}

const describe = ({ id, owner, repo, visibility }: Repository): string => `${id} ${owner}/${repo} ${visibility}`;
