import { timingSafeEqual } from 'node:crypto';
import { parseCookie, stringifySetCookie } from 'cookie';
import { z } from 'zod';
import type { Clock } from '../platform/clock.ts';
import { sealedBox } from '../platform/sealed.ts';

const content = z.object({ state: z.string(), verifier: z.string(), returnTo: z.string(), issuedAt: z.number() });

/** A sign-in that was begun: what only this browser and this service know of it. */
export type SignInFlow = z.output<typeof content>;

export interface SignInFlows {
  /** The cookie that carries a flow for five minutes. */
  cookie(flow: Omit<SignInFlow, 'issuedAt'>): string;
  /** The flow of a callback: its state is the one that came back, and it is not too old. */
  match(headers: Headers, state: string): SignInFlow | 'state_mismatch' | 'state_expired';
  /** The cookie that removes the cookie. */
  readonly cleared: string;
}

const name = 'das_oauth';
const lifeMs = 300_000;

interface Options {
  secrets: readonly string[];
  secure: boolean;
  clock: Clock;
}

export function signInFlows({ secrets, secure, clock }: Options): SignInFlows {
  const box = sealedBox(secrets, 'oauth/v1');
  const attributes = { name, httpOnly: true, sameSite: 'lax', path: '/api/auth', secure } as const;
  const open = (headers: Headers) => {
    const plain = box.open(parseCookie(headers.get('cookie') ?? '')[name] ?? '');
    const parsed = plain && content.safeParse(JSON.parse(plain.text));
    return parsed?.success ? parsed.data : null;
  };
  return {
    cookie: (flow) =>
      stringifySetCookie({
        ...attributes,
        value: box.seal(JSON.stringify({ ...flow, issuedAt: clock.now() })),
        maxAge: lifeMs / 1000,
      }),
    match(headers, state) {
      const flow = open(headers);
      if (!flow || !isSame(flow.state, state)) return 'state_mismatch';
      return clock.now() - flow.issuedAt > lifeMs ? 'state_expired' : flow;
    },
    cleared: stringifySetCookie({ ...attributes, value: '', maxAge: 0 }),
  };
}

function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && left.length > 0 && timingSafeEqual(left, right);
}

/** An address on this site, or the start page: never somewhere that a foreign page chose. */
export const localPath = (given: unknown): string => (typeof given === 'string' && ownPath.test(given) ? given : '/');

/** Visible characters only: browsers leave out tabs and line ends, so that `/`, a tab, `/` begins a foreign address. */
const ownPath = /^\/(?![/\\])[\x21-\x7e]{0,2000}$/;
