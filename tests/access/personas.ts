import type { Service } from '../support/service.ts';

/** The kinds of caller that the matrix distinguishes, and the groups they are in. */
export const groupsOf = {
  'in no group': [],
  'in devops': ['devops'],
  'in security': ['security'],
  'in dev': ['dev'],
  'in pm': ['pm'],
  'in admin': ['admin'],
} as const;

export type Member = keyof typeof groupsOf;

/** An account for each kind, a member of octo that signed in, with its groups. */
export async function settle(service: Service): Promise<Record<Member, string>> {
  const { store, clock } = service.app.services;
  const { world } = service.double;
  const tokens: Partial<Record<Member, string>> = {};
  for (const [index, [kind, groups]] of Object.entries(groupsOf).entries()) {
    const login = `person-${index}`;
    const token = `token-${login}`;
    world.accounts.push({ id: 9000 + index, login, name: null, email: null, memberOf: ['octo'] });
    world.tokens.push({ token, login, scopes: ['repo', 'read:org'], authorizedFor: [], only: null });
    await service.signIn(token);
    const by = { actor: { id: null, login: 'system' }, requestId: null, now: clock.now() };
    await store?.users.replaceGroups(9000 + index, groups, by);
    tokens[kind as Member] = token;
  }
  return tokens as Record<Member, string>;
}

/** A cookie for an account that need not pass sign-in, as one that was given before something changed. */
export async function cookieOf(service: Service, token: string): Promise<string> {
  const { sessions } = service.app.services;
  const login = service.double.world.tokens.find((one) => one.token === token)?.login;
  const account = service.double.world.accounts.find((one) => one.login === login);
  if (!account) throw new Error(`Nobody has the token ${token}`);
  const { id, name } = account;
  const cookie = await sessions.begin({ id, login: account.login, name, avatarUrl: '' }, token, 'matrix');
  return cookie.split(';')[0] ?? '';
}

/** The cookie of an account that signed in once, and belongs to no organization that may any more; a new one each time. */
export async function cookieOfStranger(service: Service): Promise<string> {
  const { world } = service.double;
  const { store, clock } = service.app.services;
  const profile = { id: 9100, login: 'stranger', name: null, avatarUrl: '' };
  if (!world.accounts.some(({ id }) => id === profile.id)) {
    world.accounts.push({ id: 9100, login: 'stranger', name: null, email: null, memberOf: ['elsewhere'] });
    await store?.users.signedIn(
      profile,
      { mayBootstrap: false, defaultGroup: 'devops' },
      'matrix-request',
      clock.now(),
    );
  }
  // An error gives the token back to the platform, where it ends.
  if (!world.tokens.some(({ token }) => token === 'token-stranger'))
    world.tokens.push({
      token: 'token-stranger',
      login: 'stranger',
      scopes: ['repo', 'read:org'],
      authorizedFor: [],
      only: null,
    });
  return cookieOf(service, 'token-stranger');
}
