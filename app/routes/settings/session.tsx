import { data } from 'react-router';
import { endSessions, getSessions } from '../../../server/api/session/sessions.ts';
import { panel, submit } from '../../../server/http/adapters.ts';
import { readFlash } from '../../../server/http/done.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Form } from '../../components/form.tsx';
import { Moment } from '../../components/moment.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Panel } from '../../components/panel.tsx';
import { browserName } from '../browser-name.ts';
import type { Route } from './+types/session';
import { useSettingsTabs } from './tabs.ts';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  return { sessions: await panel(getSessions, pageRequest), wasEnded: await readFlash(pageRequest.context, 'ended') };
};

export const action = async ({ context, params, request }: Route.ActionArgs) => {
  const pageRequest = { context: context.get(requestContext), params, request };
  const next = '/settings/session?ended=yes';
  const done = await submit(pageRequest, {
    one: { operation: endSessions, next },
    others: { operation: endSessions, next },
  });
  return done instanceof Response ? done : data(done.data, { status: done.status });
};

type Sessions = Extract<Route.ComponentProps['loaderData']['sessions'], { ok: true }>['data'];
type Row = Sessions['sessions'][number];

export default function SessionsPage({ loaderData: { sessions, wasEnded }, actionData }: Route.ComponentProps) {
  const rejected = actionData?.rejected ?? null;
  return (
    <Page
      title="Sessions"
      lead="Browsers signed in to your account. Ended sessions stop at once."
      tabs={useSettingsTabs('Sessions')}
      note={
        rejected ? (
          <Notice tone="problem">{rejected.problem.error}</Notice>
        ) : wasEnded ? (
          <Notice tone="done">Session ended.</Notice>
        ) : null
      }
    >
      <Panel title="Sessions" result={sessions}>
        {(data) => <Sessions data={data} />}
      </Panel>
    </Page>
  );
}

function Sessions({ data: { sessions, truncated } }: { data: Sessions }) {
  const { csrf } = usePageContext();
  const others = sessions.filter(({ current }) => !current).length;
  const columns: Column<Row>[] = [
    {
      key: 'browser',
      label: 'Browser',
      cell: ({ user_agent, current }) => `${browserName(user_agent)}${current ? ' (this one)' : ''}`,
    },
    { key: 'used', label: 'Last used', cell: (row) => <Moment at={row.last_used_at} /> },
    { key: 'created', label: 'Signed in', cell: (row) => <Moment at={row.created_at} as="date-time" /> },
    { key: 'expires', label: 'Expires', cell: (row) => <Moment at={row.expires_at} as="date-time" /> },
    { key: 'end', label: 'End', cell: (row) => <EndOne row={row} csrf={csrf} /> },
  ];
  return (
    <>
      <DataTable
        caption="Sessions of your account"
        captionHidden
        columns={columns}
        rows={sessions}
        rowKey={({ id }) => id}
        noun="sessions"
      />
      {truncated ? <p className="source">Showing the latest 100. Ending all others includes the rest.</p> : null}
      {others > 0 ? (
        <Form csrf={csrf} intent="others" submit="Sign out everywhere else" hidden={{ others: 'true' }} danger />
      ) : (
        <p>No other sessions.</p>
      )}
    </>
  );
}

/** The button names its browser, for those who hear it without the table. */
function EndOne({ row: { id, current, user_agent }, csrf }: { row: Row; csrf: string }) {
  const label = `Sign out of ${browserName(user_agent)}`;
  if (current) return <Form action="/sign-out" csrf={csrf} submit="Sign out" label={label} inline />;
  return <Form csrf={csrf} intent="one" submit="Sign out" hidden={{ id }} label={label} inline />;
}
