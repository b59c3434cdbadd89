import type { Actor, Instant } from '../../server/metrics/kernel/facts.ts';
import { idOf } from './wire.ts';
import { type DoubleRepository, type DoubleToken, type DoubleWorld, webUrl } from './world.ts';

/** The world as one token sees it through GraphQL. */
export interface View {
  world: DoubleWorld;
  token: DoubleToken;
  now: Instant;
  /** The object of a repository, for those that lead back to one. */
  repository(one: DoubleRepository): object;
}

/** An error the platform itself would give, with its type. */
export class GraphqlRequestError extends Error {
  readonly type: string;

  constructor(type: string, message: string) {
    super(message);
    this.type = type;
  }
}

/** An account. GraphQL drops the suffix that REST gives to bots. */
export function person({ login, avatarUrl, isBot }: Actor) {
  const shown = isBot ? login.replace(/\[bot\]$/, '') : login;
  return {
    __typename: isBot ? 'Bot' : 'User',
    id: userId(login),
    databaseId: idOf(login),
    login: shown,
    avatarUrl: avatarUrl.startsWith('#') || avatarUrl.startsWith('data:') ? `${webUrl}/avatars/${shown}` : avatarUrl,
    url: `${webUrl}/${shown}`,
  };
}

export const userId = (login: string) => `U_${idOf(login)}`;

export const team = (name: string) => ({ __typename: 'Team', id: `T_${name}`, name, slug: name, combinedSlug: name });

export const personOrNull = (actor: Actor | null) => actor && person(actor);

/** Who stands in for a deleted account where the schema wants somebody. */
export const ghost: Actor = { login: 'ghost', avatarUrl: 'https://avatars.codehost.example/ghost', isBot: false };
