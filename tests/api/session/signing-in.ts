import { expect } from 'vitest';
import type { Consent } from '../../codehost-double/oauth.ts';
import type { Answered, Service } from '../../support/service.ts';

/** A sign-in that a browser began: where it was sent, and the cookie that remembers it. */
export interface Begun {
  location: URL;
  state: string;
  flow: string;
  from: string;
}

export interface Returned {
  code: string;
  state: string;
  /** The path and query the platform sends the browser back to. */
  path: string;
}

let addresses = 0;

/** An address of its own for each visitor, so that the limits of one test do not stop another. */
export function elsewhere(): string {
  addresses += 1;
  return `10.20.${addresses >> 8}.${addresses & 255}`;
}

export const cookieNamed = (answer: Answered, name: string): string | undefined =>
  answer.headers
    .getSetCookie()
    .find((one) => one.startsWith(`${name}=`))
    ?.split(';')[0];

/** The cookie of the session that an answer began; undefined when it began none. */
export const sessionOf = (answer: Answered): string | undefined => {
  const cookie = cookieNamed(answer, 'das_session');
  return cookie === 'das_session=' ? undefined : cookie;
};

export async function begin(service: Service, returnTo?: string): Promise<Begun> {
  const from = elsewhere();
  const query = returnTo === undefined ? '' : `?${new URLSearchParams({ return_to: returnTo })}`;
  const answer = await service.ask('GET', `/api/auth/login${query}`, { from });
  expect(answer.status).toBe(302);
  const location = new URL(answer.headers.get('location') ?? '');
  const flow = cookieNamed(answer, 'das_oauth') ?? '';
  return { location, state: location.searchParams.get('state') ?? '', flow, from };
}

/** Presses the button on the platform's page, and reads where it sends the browser back to. */
export async function agree(service: Service, { location }: Begun, consent: Consent): Promise<Returned> {
  service.double.consent(consent);
  const answer = await fetch(location, { redirect: 'manual' });
  const { pathname, search, searchParams } = new URL(answer.headers.get('location') ?? '');
  const named = (name: string) => searchParams.get(name) ?? '';
  return { code: named('code'), state: named('state'), path: `${pathname}${search}` };
}

/** Comes back from the platform, with these cookies. */
export const comeBack = (service: Service, path: string, cookie: string, from = elsewhere()): Promise<Answered> =>
  service.ask('GET', path, { headers: { cookie, accept: 'text/html' }, from });

/** A whole sign-in of somebody, whatever comes of it. */
export async function signIn(service: Service, consent: Consent, cookie = ''): Promise<Answered> {
  const begun = await begin(service);
  const { path } = await agree(service, begun, consent);
  return comeBack(service, path, [begun.flow, cookie].filter(Boolean).join('; '), begun.from);
}

/** The cookie of somebody who was let in. */
export async function signedIn(service: Service, consent: Consent): Promise<string> {
  const answer = await signIn(service, consent);
  const cookie = sessionOf(answer);
  if (!cookie) throw new Error(`The sign-in led to ${answer.headers.get('location')}`);
  return cookie;
}

/** That a sign-in came to nothing: said by a code alone, without a session, and over. */
export function expectTurnedAway(answer: Answered, code: string): void {
  expect([answer.status, answer.headers.get('location')]).toEqual([302, `/login?error=${code}`]);
  expect(sessionOf(answer)).toBeUndefined();
  expect(cookieNamed(answer, 'das_oauth')).toBe('das_oauth=');
  expect(answer.text).toBe('');
}

export const me = (service: Service, cookie: string): Promise<Answered> =>
  service.ask('GET', '/api/auth/me', { headers: { cookie } });

/** What the platform was queried, as method and path. */
export const sent = (service: Service): string[] =>
  service.double.requests.map(({ method, path }) => `${method} ${path}`);

export const exchange = 'POST /login/oauth/access_token';

/** Whether the platform still knows a token. */
export const holds = (service: Service, token: string): boolean =>
  service.double.world.tokens.some((one) => one.token === token);

/** Entries of the audit log, the newest first. */
export async function written(service: Service) {
  const all = { limit: 50, before: null, categories: null, actor: null, action: null };
  return (await service.app.services.store?.audit.list(all)) ?? [];
}
