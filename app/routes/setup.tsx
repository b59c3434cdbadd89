import { data, redirect } from 'react-router';
import { setUp } from '../../server/api/session/session.ts';
import { submit } from '../../server/http/adapters.ts';
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

export const handle = { isPlain: true };

export const loader = async ({ context }: Route.LoaderArgs) => {
  const { url, services } = context.get(requestContext);
  if (services.env.MODE === 'organization') throw redirect(`/login${url.search}`);
  return {
    returnTo: returnTo(url.searchParams),
    rejected: url.searchParams.get('reason') === 'token_rejected',
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
  const { account, csrf, webUrl } = usePageContext();
  const rejection = actionData?.rejected;
  const atToken =
    rejection?.problem.code === 'invalid_token' ? rejection.problem.error : getFieldError(rejection, 'pat');
  const createToken = `${webUrl}/settings/tokens/new?description=Delivery%20Analytics&scopes=repo,read:org`;
  return (
    <Page
      title="Sign in with a token"
      lead="The service reads what your own token can see, and nothing else."
      note={
        <>
          {loaderData.rejected ? (
            <Notice tone="partial" title="Signed out.">
              The platform no longer accepts your token. It may have expired or been revoked.
            </Notice>
          ) : null}
          {loaderData.admission === 'nobody' ? (
            <Notice tone="problem" title="Nobody can sign in yet.">
              The owner of this installation cannot be stored. List your account in{' '}
              <code>STANDALONE_ALLOWED_LOGINS</code> and start the service again.
            </Notice>
          ) : null}
        </>
      }
    >
      {account ? (
        <Notice>
          You are signed in as {account.login}. Another token replaces this session. <a href="/">Repositories</a>
        </Notice>
      ) : null}
      <Section title="Personal access token">
        <Form
          csrf={csrf}
          intent="signIn"
          submitted={atToken ? null : rejection}
          submit="Sign in"
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
                <a href={createToken}>Create one on the platform</a>. Classic and fine-grained tokens work.
              </>
            }
          />
        </Form>
      </Section>
      <WhoMaySignIn admission={loaderData.admission} />
      <Scopes />
      <p>
        No token at hand? <a href="/demo">See the demo</a> with a sample organization.
      </p>
    </Page>
  );
}

type Admission = NonNullable<Route.ComponentProps['loaderData']['admission']>;

function WhoMaySignIn({ admission }: { admission: Admission | null }) {
  return (
    <Section title="Who may sign in">
      <p className="prose">
        {admission ? admissionText[admission] : 'Who may sign in cannot be read right now. Try again shortly.'} Whoever
        runs the service changes this by <code>STANDALONE_ALLOWED_LOGINS</code> in its environment: accounts separated
        by commas, or <code>*</code> for every account; then a restart.
      </p>
    </Section>
  );
}

const admissionText: Record<Admission, string> = {
  everybody: 'Every account of the platform may sign in here and change settings and alerts.',
  listed: 'The owner of this installation and the accounts that are listed may sign in.',
  owner: 'This installation has an owner, the first account that signed in. Other accounts are denied unless listed.',
  first:
    'The first account that signs in owns this installation. Other accounts are denied from then on unless listed, because whoever is signed in can change settings and alerts.',
  nobody:
    'Without a database the first account that signs in is stored as the owner in a file, and the service may not write it. Until accounts are listed, nobody can sign in.',
};

function Scopes() {
  return (
    <Section title="What it needs, and where it stays">
      <Facts
        facts={[
          {
            label: 'repo',
            value: 'Reads private repositories and their workflow runs. For public ones alone, leave it out.',
          },
          { label: 'read:org', value: 'Lists your organizations.' },
          {
            label: 'Fine-grained',
            value: 'Read access to Metadata, Actions, Contents, Issues, Pull requests and Deployments.',
          },
          {
            label: 'Kept',
            value:
              'Encrypted, in a cookie of this browser. It is never written to the database or a log. Signing out makes every copy of the cookie worthless.',
          },
        ]}
      />
    </Section>
  );
}
