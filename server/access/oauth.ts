import { CodeChallengeMethod, type GitHub, OAuth2Client, type OAuth2Tokens } from 'arctic';
import { Authenticator } from 'remix-auth';
import { GitHubStrategy } from 'remix-auth-github';
import { type Env, parseScopes } from '../platform/env.ts';
import { withinTime } from '../platform/pending-requests.ts';

/** What the platform gave for a code. */
export interface Granted {
  token: string;
  /** Scopes of the token; null when none were requested or named, as for apps with permissions of their own. */
  scopes: string[] | null;
}

/** How long the platform may take to change a code into a token. */
const exchangeMs = 10_000;

/** Where the browser is sent to ask the platform, and the state that must come back from there. */
export async function beginSignIn(env: Env, verifier: string): Promise<{ location: URL; state: string }> {
  const response = await authenticator(env, verifier)
    .authenticate('codehost', new Request(callback(env)))
    .catch((thrown: unknown) => thrown);
  const location = response instanceof Response ? URL.parse(response.headers.get('Location') ?? '') : null;
  if (!location) throw response;
  return { location, state: location.searchParams.get('state') ?? '' };
}

/** Changes the code of a callback, whose state was found to be ours, into a token. Throws when that fails. */
export function finishSignIn(env: Env, { code, state, verifier }: Record<'code' | 'state' | 'verifier', string>) {
  const url = new URL(callback(env));
  url.search = new URLSearchParams({ code, state }).toString();
  const cookie = `${stateCookie}=${new URLSearchParams({ state })}`;
  const request = new Request(url, { headers: { cookie } });
  return withinTime(() => authenticator(env, verifier).authenticate('codehost', request), exchangeMs, tooLate);
}

const callback = (env: Env) => `${env.APP_URL}/api/auth/callback`;

/** The strategy's own note of the state. It never leaves the server: the flow's cookie is sealed, and holds more. */
const stateCookie = 'state';

const authenticator = (env: Env, verifier: string) =>
  new Authenticator<Granted>().use(new CodehostStrategy(env, verifier), 'codehost');

/** The GitHub strategy, at the addresses of any installation of the platform, and with a code challenge. */
class CodehostStrategy extends GitHubStrategy<Granted> {
  constructor(env: Env, verifier: string) {
    const { CODEHOST_CLIENT_ID: clientId = '', CODEHOST_CLIENT_SECRET: clientSecret = '' } = env;
    const scopes = parseScopes(env) as GitHubStrategy.Scope[];
    super({ clientId, clientSecret, redirectURI: callback(env), scopes, cookie: stateCookie }, async ({ tokens }) =>
      grantedBy(tokens, scopes),
    );
    const client = new OAuth2Client(clientId, clientSecret, callback(env));
    const page = `${env.CODEHOST_WEB_URL}/login/oauth`;
    const { S256 } = CodeChallengeMethod;
    const own: Pick<GitHub, 'createAuthorizationURL' | 'validateAuthorizationCode'> = {
      createAuthorizationURL: (state, scopes) =>
        client.createAuthorizationURLWithPKCE(`${page}/authorize`, state, S256, verifier, scopes),
      validateAuthorizationCode: (code) => client.validateAuthorizationCode(`${page}/access_token`, code, verifier),
    };
    this.client = Object.assign(this.client, own);
  }
}

function grantedBy(tokens: OAuth2Tokens, response: readonly string[]): Granted {
  const token = tokens.accessToken();
  if (!/^[\x21-\x7e]{1,500}$/.test(token)) throw new Error('GitHub returned an invalid token');
  const { scope } = tokens.data as { scope?: unknown };
  const scopes = typeof scope === 'string' ? scope.split(/[\s,]+/).filter((name) => name !== '') : [];
  return { token, scopes: response.length > 0 || scopes.length > 0 ? scopes : null };
}

const tooLate = () => new Error('GitHub took too long to return a token');
