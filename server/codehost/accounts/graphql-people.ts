import { z } from 'zod';
import { shownText } from '../client/wire.ts';
import type { Account } from './people.ts';

/** Fields of an account; queries that use it carry this fragment. */
export const accountFields = 'fragment Account on Actor { __typename login avatarUrl }';

/**
 * An account as GraphQL names it, in the shape of REST. A deleted one is null; one that could not be read is null too:
 * see `markUnreadFields`.
 */
export const graphqlAccount = z
  .object({ __typename: shownText, login: z.string(), avatarUrl: shownText })
  .nullish()
  .catch(null)
  .transform((wire): Account | null =>
    wire ? { login: wire.login, avatar_url: wire.avatarUrl, type: wire.__typename } : null,
  );
