import { data } from 'react-router';
import { changeBackfill, startBackfill } from '../../../server/api/settings/otlp/backfill-operations.ts';
import {
  deleteDestination,
  getDestinations,
  putDestination,
  resendRejected,
  testDestination,
} from '../../../server/api/settings/otlp/operations.ts';
import { panel, submit } from '../../../server/http/adapters.ts';
import { readFlash } from '../../../server/http/done.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { rejectedBy } from '../../components/form.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { Panel, Section } from '../../components/panel.tsx';
import type { Route } from './+types/telemetry';
import { BackfillForm } from './backfill-form.tsx';
import { BackfillList } from './backfill-list.tsx';
import { DestinationForm } from './destination-form.tsx';
import { DestinationState } from './destination-state.tsx';
import { MetricsStatus } from './metrics-status.tsx';
import { readDestination } from './submitted-destination.ts';
import { useSettingsTabs } from './tabs.ts';

export const loader = async ({ context, params, request }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  return {
    answer: await panel(getDestinations, pageRequest),
    edited: Number(new URL(request.url).searchParams.get('edit') ?? 0),
    done: await readFlash(pageRequest.context, 'done'),
  };
};

export const action = async ({ context, params, request }: Route.ActionArgs) => {
  const pageRequest = { context: context.get(requestContext), params, request };
  const done = await submit(pageRequest, {
    save: { operation: putDestination, next: '/settings/telemetry?done=saved', values: readDestination },
    delete: { operation: deleteDestination, next: '/settings/telemetry?done=deleted' },
    resend: { operation: resendRejected, next: '/settings/telemetry?done=again' },
    test: { operation: testDestination },
    backfill: { operation: startBackfill, next: '/settings/telemetry?done=backfill' },
    'change-backfill': { operation: changeBackfill, next: '/settings/telemetry?done=saved' },
  });
  return done instanceof Response ? done : data(done.data, { status: done.status });
};

const sentences: Readonly<Record<string, string>> = {
  saved: 'Saved.',
  deleted: 'Deleted.',
  again: 'It is being sent again.',
  backfill: 'The backfill has started.',
};

/** Destinations of traces: how each does, and forms to add, change, test and delete one. */
export default function TelemetryPage({ loaderData, actionData }: Route.ComponentProps) {
  const { answer, edited, done } = loaderData;
  const rejected = actionData?.rejected ?? null;
  const tested = actionData?.done?.intent === 'test' ? (actionData.done.result as { trace_id: string }) : null;
  return (
    <Page
      title="Traces"
      lead="Completed runs as OpenTelemetry traces, for your own tracing backend."
      tabs={useSettingsTabs('Traces')}
      note={
        <>
          {done && !actionData ? <Notice tone="done">{sentences[done]}</Notice> : null}
          {tested ? <Notice tone="done">The receiver took the test span, trace {tested.trace_id}.</Notice> : null}
          {rejected && !['save', 'backfill'].includes(rejected.intent) ? (
            <Notice tone="problem">{rejected.problem.error}</Notice>
          ) : null}
        </>
      }
    >
      <Panel title="Destinations" result={answer}>
        {({ destinations }) =>
          destinations.length === 0 ? (
            <p>Nothing is sent: there is no destination.</p>
          ) : (
            destinations.map((one) => (
              <article key={one.id}>
                <h3>{one.name}</h3>
                <DestinationState destination={one} />
              </article>
            ))
          )
        }
      </Panel>
      {answer.ok && answer.data.destinations.length > 0 ? (
        <Section title="Backfill">
          <BackfillList {...answer.data} />
          <BackfillForm {...answer.data} rejected={rejectedBy(rejected, 'backfill')} />
        </Section>
      ) : null}
      {answer.ok ? (
        <Edit
          destination={
            answer.data.destinations.find(({ id, source }) => id === edited && source === 'settings') ?? null
          }
          hasServiceToken={answer.data.has_service_token}
          rejected={rejectedBy(rejected, 'save')}
        />
      ) : null}
      {answer.ok ? (
        <Section title="Metrics for Prometheus">
          <MetricsStatus status={answer.data.metrics} />
        </Section>
      ) : null}
      <p className="source">
        Names of branches, workflows, jobs and steps leave this service; logs, titles and messages never do.{' '}
        <a href="/docs/open/traces">What is sent</a>
      </p>
    </Page>
  );
}

function Edit(props: Parameters<typeof DestinationForm>[0]) {
  return (
    <Section title={props.destination ? `Change ${props.destination.name}` : 'New destination'}>
      <DestinationForm {...props} />
    </Section>
  );
}
