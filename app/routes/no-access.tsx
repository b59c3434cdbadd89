import { redirect } from 'react-router';
import { getAdministrators, getMe } from '../../server/api/session/session.ts';
import { loadPanels } from '../../server/http/adapters.ts';
import { requestContext } from '../../server/http/router-context.ts';
import { Form } from '../components/form.tsx';
import { Page } from '../components/page.tsx';
import { usePageContext } from '../components/page-context.ts';
import { Panel, Section } from '../components/panel.tsx';
import type { Route } from './+types/no-access';

export const handle = { isPlain: true };

export const loader = ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  if (pageRequest.context.services.env.MODE === 'standalone') throw redirect('/');
  return loadPanels(pageRequest, { me: getMe, administrators: getAdministrators });
};

export default function NoAccess({ loaderData: { me, administrators } }: Route.ComponentProps) {
  const { csrf, account } = usePageContext();
  const groups = me.ok ? me.data.groups : [];
  const waits = me.ok && groups.length === 0;
  return (
    <Page
      title={waits ? 'No access yet' : 'Your access'}
      lead={
        waits
          ? `You are signed in as ${account?.login}, but not in any group yet.`
          : `You are signed in as ${account?.login}.`
      }
    >
      {groups.length > 0 ? (
        <Section title="Your groups">
          <p>
            {groups.join(', ')}. <a href="/">Go to the repositories</a>
          </p>
        </Section>
      ) : null}
      <Panel title="Get access" result={administrators}>
        {({ exists, logins }) => <Help exists={exists} logins={logins} login={account?.login} />}
      </Panel>
      {waits ? (
        <p>
          <a href="/">Try again</a> after you have been added to a group. You stay signed in.
        </p>
      ) : null}
      <Form
        action="/sign-out"
        csrf={csrf}
        submit="Sign out"
        label="Sign out"
        aside={<a href="/settings/session">Where you are signed in</a>}
      />
    </Page>
  );
}

function Help({ exists, logins, login }: { exists: boolean; logins: string[] | null; login: string | undefined }) {
  if (!exists)
    return (
      <>
        <p>
          This installation has no administrator yet. Its operator sets <code>BOOTSTRAP_ADMINS</code> to the login of
          the first administrator and restarts the service:
        </p>
        <p>
          <code>BOOTSTRAP_ADMINS={login}</code>
        </p>
        <p>
          That person then signs out and in again. Where <code>SERVICE_ALLOWED_ORGS</code> is set, an owner of one of
          those organizations becomes administrator by signing in, too.
        </p>
      </>
    );
  if (logins === null) return <p>Ask an administrator to add you to a group. Your login: {login}.</p>;
  return <p>Administrators: {logins.join(', ')}.</p>;
}
