import { redirect } from 'react-router';
import type { SignInError } from '../../server/access/organization-sign-in.ts';
import { requestedScopes, returnTo } from '../../server/http/redirect.ts';
import { requestContext } from '../../server/http/router-context.ts';
import { Facts } from '../components/facts.tsx';
import { Notice } from '../components/notice.tsx';
import { Page } from '../components/page.tsx';
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
  return (
    <Page
      title="Sign in to Delivery Analytics"
      lead="You sign in on the platform. The service then reads what your own account can see, and nothing else."
      note={<LoginError error={error} rejected={rejected} />}
    >
      <form className="form" method="get" action="/api/auth/login">
        {next === '/' ? null : <input type="hidden" name="return_to" value={next} />}
        <button type="submit">Sign in through the platform</button>
      </form>
      <Section title="What you will be asked to allow">
        {scopes.length > 0 ? (
          <Facts facts={scopes.map((name) => ({ label: name, value: scopeLabels[name] ?? otherScope }))} />
        ) : (
          <p>The permissions that the platform shows for the installed app.</p>
        )}
      </Section>
      <Section title="Where it stays">
        <p>
          What the platform gives is kept encrypted in a cookie of this browser, never in the database or a log. Signing
          out gives it back to the platform.
        </p>
      </Section>
      <p>
        Only looking? <a href="/demo">See the demo</a> with a sample organization, or read{' '}
        <a href="/docs">how the numbers are made</a>.
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
      The platform no longer accepts your sign-in. It may have expired or been revoked.
    </Notice>
  ) : null;
}

/** Which organizations may sign in is not shown to those who may not. */
const errorMessages: Record<SignInError, string> = {
  access_denied: 'The platform says that you did not allow it. Nothing was kept.',
  state_mismatch: 'The answer of the platform does not belong to a sign-in begun in this browser. Begin again.',
  state_expired: 'More than five minutes passed before you came back from the platform. Begin again.',
  token_exchange:
    'The platform did not complete the sign-in. Try again; if it stays so, the operator should check the OAuth app.',
  missing_scope: 'The permission read:org was not granted. It is needed to tell whether you may sign in here.',
  server: 'Something went wrong, here or on the platform. Try again in a minute.',
  org_not_allowed:
    'Your account is not an active member of an organization that may sign in here. An open invitation has to be accepted first, and single sign-on completed.',
  authz_unavailable:
    'The platform does not answer, so it cannot be told whether you may sign in. Try again in a minute.',
  rate_limited: 'Too many attempts from your address. Wait a minute, then try again.',
};

const scopeLabels: Record<string, string> = {
  'read:user': 'Reads your profile: login, name and picture.',
  'user:email': 'Reads your email addresses. The service does not keep them.',
  'read:org': 'Reads which organizations and teams you belong to, and whether you may sign in here.',
  repo: 'Reads the repositories you can see, private ones too. The platform has no permission for reading alone; the service writes nothing but the issues you file.',
  public_repo: 'Reads public repositories, and files issues for you there.',
  security_events: 'Reads security alerts.',
};

const otherScope = 'Asked for by the operator of this installation.';
