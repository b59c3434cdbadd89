import { z } from 'zod';
import type { Actor } from '../../metrics/kernel/facts.ts';
import { knownBots } from '../../metrics/people/people.ts';
import { shownAddress, shownText } from '../client/wire.ts';

/** An account as the platform's REST answers name it. */
export const accountSchema = z.object({
  login: z.string(),
  avatar_url: shownAddress.nullish(),
  type: shownText,
});
export type Account = z.infer<typeof accountSchema>;

/** An account that may be missing; one without a login is as good as deleted. */
export const maybeAccount = accountSchema.nullish().catch(null);

/** Converts an account into an actor. `moreBots` are logins to count as bots beside the known ones. */
export function actorReader(moreBots: readonly string[] = []): (account: Account | null | undefined) => Actor | null {
  // Made when it is first wanted: most clients read no accounts.
  let bots: ReadonlySet<string> | undefined;
  const isKnownBot = (login: string) => {
    bots ??= new Set([...knownBots, ...moreBots].map(plainLogin));
    return bots.has(plainLogin(login));
  };
  return (account) => {
    // A deleted account is shown as the user `ghost`.
    if (!account || account.login.toLowerCase() === 'ghost') return null;
    const isBot = account.type === 'Bot' || /\[bot\]$/i.test(account.login) || isKnownBot(account.login);
    return { login: account.login, avatarUrl: account.avatar_url ?? '', isBot };
  };
}

const plainLogin = (login: string) => login.toLowerCase().replace(/\[bot\]$/, '');
