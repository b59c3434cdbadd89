import { redirect } from 'react-router';
import type { SignInError } from '../../server/access/organization-sign-in.ts';
import { requestedScopes, returnTo } from '../../server/http/redirect.ts';
import { requestContext } from '../../server/http/router-context.ts';
import { Facts } from '../components/facts.tsx';
import { Notice } from '../components/notice.tsx';
import { Page } from '../components/page.tsx';
import { usePageContext } from '../components/page-context.ts';
import { Section } from '../components/panel.tsx';
import type { Route } from './+types/login';

export const handle = { isPlain: true };

export const loader = async ({ context }: Route.LoaderArgs) => {
  const appContext = context.get(requestContext);
  const { url, services } = appContext;
  if (services.env.MODE === 'standalone') throw redirect(`/setup${url.search}`);
  const next = returnTo(url.searchParams);
  const isSignedIn = await appContext.actor().then(
    () => true,
    () => false,
  );
  if (isSignedIn) throw redirect(next);
  return {
    next,
    error: url.searchParams.get('error'),
    rejected: url.searchParams.get('reason') === 'token_rejected',
    scopes: requestedScopes(appContext),
  };
};

export default function Login({ loaderData: { next, error, rejected, scopes } }: Route.ComponentProps) {
  const { hostName } = usePageContext();
  return (
    <Page
      title="Sign in to Delivery Analytics"
      lead={`Sign in with ${hostName}. The service reads only what your account can see.`}
      note={<LoginError error={error} rejected={rejected} />}
    >
      <form className="form" method="get" action="/api/auth/login">
        {next === '/' ? null : <input type="hidden" name="return_to" value={next} />}
        <button type="submit" className="primary">
          Sign in with {hostName}
        </button>
      </form>
      <Section title="Requested permissions">
        {scopes.length > 0 ? (
          <Facts facts={scopes.map((name) => ({ label: name, value: scopeLabels[name] ?? otherScope }))} />
        ) : (
          <p>The permissions of the installed app.</p>
        )}
      </Section>
      <Section title="Storage">
        <p>
          The token of this sign-in is stored encrypted in a cookie of this browser, never in logs, and in the database
          only under access tokens that you make. Signing out revokes it unless one of these rests on it.
        </p>
      </Section>
      <p>
        <a href="/demo">Try the demo</a> with a sample organization, or read the <a href="/docs">documentation</a>.
      </p>
    </Page>
  );
}

function LoginError({ error, rejected }: { error: string | null; rejected: boolean }) {
  if (error !== null)
    return (
      <Notice tone="problem" title="You are not signed in.">
        {Object.hasOwn(errorMessages, error) ? errorMessages[error as SignInError] : errorMessages.server}
      </Notice>
    );
  return rejected ? (
    <Notice tone="partial" title="Signed out.">
      Your sign-in has expired or been revoked.
    </Notice>
  ) : null;
}

/** Which organizations may sign in is not shown to those who may not. */
const errorMessages: Record<SignInError, string> = {
  access_denied: 'You did not authorize the sign-in.',
  state_mismatch: 'This sign-in was not started in this browser. Sign in again.',
  state_expired: 'The sign-in timed out after five minutes. Sign in again.',
  token_exchange:
    'The sign-in could not be completed. Try again. If it keeps failing, the operator should check the OAuth app.',
  missing_scope: 'The permission read:org was not granted. It is required to check whether you can sign in.',
  server: 'Something went wrong. Try again in a minute.',
  org_not_allowed:
    'Your account is not an active member of an organization that can sign in here. Accept any pending invitation and complete single sign-on first.',
  authz_unavailable: 'Your membership could not be checked. Try again in a minute.',
  rate_limited: 'Too many attempts from your address. Wait a minute, then try again.',
};

const scopeLabels: Record<string, string> = {
  'read:user': 'Reads your profile: login, name and picture.',
  'user:email': 'Reads your email addresses. They are not stored.',
  'read:org': 'Reads your organizations and teams, to check whether you can sign in.',
  repo: 'Reads repositories you can see, including private ones. There is no read-only scope; the service writes only issues and pull requests you ask for.',
  public_repo: 'Reads public repositories and writes issues and pull requests you ask for.',
  workflow: 'Changes workflow files in pull requests you ask for.',
  security_events: 'Reads security alerts.',
};

const otherScope = 'Requested by the operator of this installation.';
