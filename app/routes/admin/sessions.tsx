import { data, useLocation } from 'react-router';
import { endSessionsOfAccounts, getSessionsOfAccounts } from '../../../server/api/admin/sessions.ts';
import { panel, submit } from '../../../server/http/adapters.ts';
import { readFlash } from '../../../server/http/done.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { withChoices } from '../../components/choices.ts';
import { TextField } from '../../components/field.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Form, rejectedBy, type Submitted, submittedField } from '../../components/form.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Pager } from '../../components/pager.tsx';
import { Panel, Section } from '../../components/panel.tsx';
import type { Route } from './+types/sessions';
import { SessionTable } from './session-table.tsx';

const pageSize = 50;
/** As far as the operation counts. */
const maxPages = 20_000;

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const wanted = Number.parseInt(pageRequest.context.url.searchParams.get('page') ?? '1', 10) || 1;
  const page = Math.min(Math.max(1, wanted), maxPages);
  const extra = { limit: String(pageSize), offset: String((page - 1) * pageSize) };
  const sessions = await panel(getSessionsOfAccounts, { ...pageRequest, extra });
  return { page, sessions, ended: await readFlash(pageRequest.context, 'ended') };
};

export const action = async ({ context, params, request }: Route.ActionArgs) => {
  const pageRequest = { context: context.get(requestContext), params, request };
  const { search } = pageRequest.context.url;
  const next = (login: unknown, where: 'there' | 'everywhere') =>
    `/admin/sessions${withChoices(search, { ended: `${login},${where}`, page: null })}`;
  const done = await submit(pageRequest, {
    one: { operation: endSessionsOfAccounts, next: (form) => next(form.get('of'), 'there') },
    all: { operation: endSessionsOfAccounts, next: (form) => next(form.get('login'), 'everywhere') },
  });
  return done instanceof Response ? done : data(done.data, { status: done.status });
};

/** Where everybody is signed in, and signing them out. */
export default function SessionsPage({ loaderData: { sessions, page, ended }, actionData }: Route.ComponentProps) {
  const { search } = useLocation();
  const query = new URLSearchParams(search);
  const hrefWithoutEnded = withChoices(search, { ended: null });
  const rejected = actionData?.rejected ?? null;
  return (
    <Page title="Sessions" lead="Active sessions of all users. Ended sessions stop at once; users can sign in again.">
      {rejectedBy(rejected, 'one') ? <Notice tone="problem">{rejected?.problem.error}</Notice> : null}
      {rejected ? null : <Ended value={ended} />}
      <Panel title="Who is signed in" result={sessions}>
        {({ sessions: rows, total, offset }) => (
          <>
            <FilterBar
              search={hrefWithoutEnded}
              filters={[{ kind: 'text', name: 'q', label: 'Login', value: query.get('q') }]}
            />
            <SessionTable
              rows={rows}
              empty={query.get('q') ? 'No sessions match this filter.' : 'No active sessions.'}
            />
            <Pager
              from={offset + 1}
              to={offset + rows.length}
              total={total}
              noun="sessions"
              previousHref={page > 1 ? withChoices(hrefWithoutEnded, { page: page - 1 }) : null}
              nextHref={offset + rows.length < total ? withChoices(hrefWithoutEnded, { page: page + 1 }) : null}
            />
          </>
        )}
      </Panel>
      <Section title="Sign a user out everywhere">
        <EndAll rejected={rejectedBy(rejected, 'all')} />
      </Section>
    </Page>
  );
}

/** What was just ended: a login, and where. */
function Ended({ value }: { value: string | null }) {
  const [login, where] = (value ?? '').split(',');
  const place = where === 'everywhere' ? 'everywhere' : 'there';
  return login ? <Notice tone="done" title="Done.">{`${login} is signed out ${place}.`}</Notice> : null;
}

function EndAll({ rejected }: { rejected: Submitted | null }) {
  const { csrf } = usePageContext();
  return (
    <Form
      csrf={csrf}
      intent="all"
      submitted={rejected}
      submit="End all sessions"
      label="Sign a user out everywhere"
      danger
    >
      <TextField
        {...submittedField(rejected, 'login')}
        label="User"
        hint="Login, not case-sensitive."
        required
        autoComplete="off"
      />
    </Form>
  );
}
