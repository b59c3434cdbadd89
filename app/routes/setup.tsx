import { data, redirect } from 'react-router';
import { setUp } from '../../server/api/session/session.ts';
import { submit } from '../../server/http/adapters.ts';
import { findOtherAddress } from '../../server/http/own-address.ts';
import { whoMaySignIn } from '../../server/http/page-status.ts';
import { returnTo } from '../../server/http/redirect.ts';
import { requestContext } from '../../server/http/router-context.ts';
import { Facts } from '../components/facts.tsx';
import { SecretField } from '../components/field.tsx';
import { Form, getFieldError } from '../components/form.tsx';
import { Notice } from '../components/notice.tsx';
import { Page } from '../components/page.tsx';
import { usePageContext } from '../components/page-context.ts';
import { Section } from '../components/panel.tsx';
import type { Route } from './+types/setup';
import { elsewhereHref } from './error/page.tsx';

export const handle = { isPlain: true };

export const loader = async ({ context }: Route.LoaderArgs) => {
  const { url, services } = context.get(requestContext);
  if (services.env.MODE === 'organization') throw redirect(`/login${url.search}`);
  return {
    returnTo: returnTo(url.searchParams),
    rejected: url.searchParams.get('reason') === 'token_rejected',
    otherAddress: findOtherAddress(context.get(requestContext)),
    admission: await whoMaySignIn(context.get(requestContext)),
  };
};

export const action = async ({ context, params, request }: Route.ActionArgs) => {
  const pageRequest = { context: context.get(requestContext), params, request };
  const done = await submit(pageRequest, {
    signIn: { operation: setUp, next: returnTo },
  });
  return done instanceof Response ? done : data(done.data, { status: done.status });
};

export default function SetUp({ loaderData, actionData }: Route.ComponentProps) {
  const { account, csrf, webUrl, hostName } = usePageContext();
  const rejection = actionData?.rejected;
  const atToken =
    rejection?.problem.code === 'invalid_token' ? rejection.problem.error : getFieldError(rejection, 'pat');
  const createToken = `${webUrl}/settings/tokens/new?description=Delivery%20Analytics&scopes=repo,read:org`;
  return (
    <Page
      title={`Sign in with a ${hostName} token`}
      lead={`Delivery Analytics reads only what your token can see on ${hostName}.`}
      note={
        <>
          {loaderData.otherAddress ? (
            <Notice
              tone="problem"
              title="You cannot sign in at this address."
              next={{ label: 'From another machine', href: elsewhereHref }}
            >
              Open <a href={`${loaderData.otherAddress}/setup`}>{loaderData.otherAddress}</a>, or set{' '}
              <code>APP_URL</code> to the address that browsers use.
            </Notice>
          ) : null}
          {loaderData.rejected ? (
            <Notice tone="partial" title="Signed out.">
              Your token has expired or been revoked.
            </Notice>
          ) : null}
          {loaderData.admission === 'nobody' ? (
            <Notice tone="problem" title="Nobody can sign in yet.">
              The owner of this installation could not be saved. Add your account to{' '}
              <code>STANDALONE_ALLOWED_LOGINS</code> and restart the service.
            </Notice>
          ) : null}
        </>
      }
    >
      {account ? (
        <Notice>
          You are signed in as {account.login}. Signing in with another token replaces this session.{' '}
          <a href="/repositories">Repositories</a>
        </Notice>
      ) : null}
      <Section title="Personal access token">
        <Form
          csrf={csrf}
          intent="signIn"
          submitted={atToken ? null : rejection}
          submit="Sign in"
          primary
          hidden={{ return_to: loaderData.returnTo }}
        >
          <SecretField
            name="pat"
            label="Token"
            required
            autoComplete="off"
            error={atToken}
            hint={
              <>
                <a href={createToken}>Create one on {hostName}</a>. Classic and fine-grained tokens work.
              </>
            }
          />
        </Form>
      </Section>
      <WhoMaySignIn admission={loaderData.admission} />
      <Scopes />
      <p>
        No token? <a href="/demo">Try the demo</a> with a sample organization.
      </p>
    </Page>
  );
}

type Admission = NonNullable<Route.ComponentProps['loaderData']['admission']>;

function WhoMaySignIn({ admission }: { admission: Admission | null }) {
  return (
    <Section title="Who may sign in">
      <p className="prose">
        {admission ? admissionText[admission] : 'Sign-in rules could not be loaded. Try again shortly.'} The operator
        changes this with <code>STANDALONE_ALLOWED_LOGINS</code> in the environment: comma-separated accounts, or{' '}
        <code>*</code> for every account, then restarts the service.
      </p>
    </Section>
  );
}

const admissionText: Record<Admission, string> = {
  everybody: 'Every account can sign in and change settings and alerts.',
  listed: 'Listed accounts can sign in, and the owner if there is one. Nobody else becomes the owner.',
  owner: 'The first account that signed in owns this installation. Other accounts are denied unless listed.',
  first:
    'The first account that signs in owns this installation. Other accounts are then denied unless listed. List your own account too: with a list, nobody becomes the owner.',
  nobody:
    'The owner cannot be saved: there is no database and the owner file is not writable. List accounts to allow sign-in.',
};

function Scopes() {
  return (
    <Section title="Permissions and storage">
      <Facts
        facts={[
          {
            label: 'repo',
            value:
              'Reads private repositories and their workflow runs, and writes issues and pull requests you ask for. Not needed to read public repositories.',
          },
          { label: 'read:org', value: 'Lists your organizations.' },
          {
            label: 'Fine-grained',
            value: 'Read access to Metadata, Actions, Contents, Issues, Pull requests and Deployments.',
          },
          {
            label: 'Single sign-on',
            value: 'Authorize the token for each organization that requires it; otherwise its repositories are hidden.',
          },
          {
            label: 'Storage',
            value:
              'Encrypted in a cookie of this browser, never in logs, and in the database only under access tokens that you make.',
          },
        ]}
      />
      <details>
        <summary>Optional permissions</summary>
        <Facts facts={optionalPermissions} />
      </details>
    </Section>
  );
}

/** What some pages and actions need beyond reading; named like the permissions of a fine-grained token. */
const optionalPermissions = [
  { label: 'File issues', value: 'Fine-grained: write access to Issues.' },
  {
    label: 'Open pull requests with recommendations',
    value: (
      <>
        <code>workflow</code>; fine-grained: write access to Contents, Pull requests and Workflows.
      </>
    ),
  },
  {
    label: 'Security alerts',
    value: 'Fine-grained: read access to Dependabot alerts, Code scanning alerts and Secret scanning alerts.',
  },
  {
    label: 'The bill',
    value: (
      <>
        <code>admin:org</code> or <code>user</code>; fine-grained: read access to Administration of the organization, or
        to Plan of your account.
      </>
    ),
  },
];
