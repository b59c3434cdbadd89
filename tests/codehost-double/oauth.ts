import { createHash, randomBytes } from 'node:crypto';
import { type Answer, expectRejected } from './answers.ts';
import { faultAnswer, type Incoming } from './respond.ts';
import type { DoubleWorld } from './world.ts';

/** The one OAuth app that the double knows. */
export const oauthApp = { clientId: 'Iv1.analytics', clientSecret: 'f3b1c09d77e2a45586' };

/** Who presses the button on the platform's page of consent, and what comes of it. */
export interface Consent {
  login: string;
  /** A token of the world that is handed out; a new one when not said. */
  token?: string;
  /** Scopes that are granted; those requested when not said. */
  scopes?: string[];
  denied?: boolean;
}

interface Pending {
  consent: Consent;
  scopes: string[];
  redirectUri: string;
  challenge: string;
}

/** What the platform remembers of sign-ins under way. */
export interface OAuthState {
  consent: Consent;
  codes: Map<string, Pending>;
}

export const newOAuthState = (): OAuthState => ({ consent: { login: 'ann' }, codes: new Map() });

/** Answers the platform's sign-in, as its documentation of OAuth apps describes it; null for other addresses. */
export function answerOAuth(incoming: Incoming): Answer | null {
  const { method, path } = incoming.entry;
  const deletes = method === 'DELETE' && path === `/applications/${oauthApp.clientId}/token`;
  const answer =
    method === 'GET' && path === '/login/oauth/authorize'
      ? authorize
      : method === 'POST' && path === '/login/oauth/access_token'
        ? exchange
        : deletes
          ? deleteToken
          : null;
  return answer && (faultAnswer(incoming) ?? answer(incoming));
}

const required = ['client_id', 'redirect_uri', 'state', 'code_challenge', 'code_challenge_method'];

function authorize({ service, url }: Incoming): Answer {
  const query = url.searchParams;
  for (const name of required) if (!query.get(name)) service.violations.push(`A sign-in was begun without ${name}`);
  if (query.get('client_id') !== oauthApp.clientId) return expectRejected(404, 'Not Found');
  if (query.get('code_challenge_method') !== 'S256') service.violations.push('The challenge is not S256');
  const { consent } = service.oauth;
  const back = new URL(query.get('redirect_uri') ?? '');
  back.searchParams.set('state', query.get('state') ?? '');
  if (consent.denied) {
    back.searchParams.set('error', 'access_denied');
    back.searchParams.set('error_description', 'The user has denied your application access.');
  } else {
    const code = randomBytes(10).toString('hex');
    const scopes = consent.scopes ?? (query.get('scope') ?? '').split(' ').filter(Boolean);
    const redirectUri = query.get('redirect_uri') ?? '';
    service.oauth.codes.set(code, { consent, scopes, redirectUri, challenge: query.get('code_challenge') ?? '' });
    back.searchParams.set('code', code);
  }
  return { status: 302, body: undefined, headers: { location: back.href } };
}

/** Errors come with status 200, as the platform gives them. */
const problem = (error: string): Answer => ({ status: 200, body: { error, error_description: error, error_uri: '#' } });

function exchange({ service, headers, body }: Incoming): Answer {
  const form = new URLSearchParams(body);
  if (!isApp(headers.authorization)) return problem('incorrect_client_credentials');
  const pending = service.oauth.codes.get(form.get('code') ?? '');
  service.oauth.codes.delete(form.get('code') ?? '');
  if (!pending) return problem('bad_verification_code');
  if (form.get('redirect_uri') !== pending.redirectUri) return problem('redirect_uri_mismatch');
  const proof = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  if (proof !== pending.challenge) return problem('bad_verification_code');
  const { login, token = `oauth-${login}-${randomBytes(6).toString('hex')}` } = pending.consent;
  give(service.world, token, login, pending.scopes);
  return { status: 200, body: { access_token: token, token_type: 'bearer', scope: pending.scopes.join(',') } };
}

function give(world: DoubleWorld, token: string, login: string, scopes: string[]): void {
  if (world.tokens.some((one) => one.token === token)) return;
  world.tokens.push({ token, login, scopes, authorizedFor: [], only: null });
}

function deleteToken({ service, headers, body }: Incoming): Answer {
  if (!isApp(headers.authorization)) return expectRejected(401, 'Bad credentials');
  const { access_token: token } = JSON.parse(body) as { access_token: string };
  const at = service.world.tokens.findIndex((one) => one.token === token);
  if (at < 0) return expectRejected(404, 'Not Found');
  service.world.tokens.splice(at, 1);
  return { status: 204, body: undefined };
}

const isApp = (authorization: string | undefined) => {
  const [, given = ''] = /^basic (.+)$/i.exec(authorization ?? '') ?? [];
  return Buffer.from(given, 'base64').toString() === `${oauthApp.clientId}:${oauthApp.clientSecret}`;
};
