import { data } from 'react-router';
import {
  deleteWebhook,
  getWebhooks,
  putWebhook,
  rotateWebhook,
  testWebhookEndpoint,
} from '../../../server/api/settings/webhooks/operations.ts';
import { panel, submit } from '../../../server/http/adapters.ts';
import { readFlash } from '../../../server/http/done.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { CopyNow } from '../../components/copy-now.tsx';
import { rejectedBy } from '../../components/form.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { Panel, Section } from '../../components/panel.tsx';
import type { Route } from './+types/webhooks';
import { useSettingsTabs } from './tabs.ts';
import { EndpointForm } from './webhook-endpoint-form.tsx';
import { EndpointState } from './webhook-endpoint-state.tsx';

export const loader = async ({ context, params, request }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  return {
    answer: await panel(getWebhooks, pageRequest),
    edited: Number(new URL(request.url).searchParams.get('edit') ?? 0),
    done: await readFlash(pageRequest.context, 'done'),
  };
};

export const action = async ({ context, params, request }: Route.ActionArgs) => {
  const pageRequest = { context: context.get(requestContext), params, request };
  const readEnabled = (form: FormData) => ({ enabled: form.get('enabled') === 'true' });
  const done = await submit(pageRequest, {
    // A secret stands in the answer to the form alone, not in an address.
    add: { operation: putWebhook, values: readEnabled },
    rotate: { operation: rotateWebhook },
    test: { operation: testWebhookEndpoint },
    save: { operation: putWebhook, next: '/settings/webhooks?done=saved', values: readEnabled },
    delete: { operation: deleteWebhook, next: '/settings/webhooks?done=deleted' },
  });
  return done instanceof Response ? done : data(done.data, { status: done.status });
};

const sentences: Readonly<Record<string, string>> = { saved: 'Saved.', deleted: 'Deleted.' };

/** Endpoints that alerts are posted to: how each does, and forms to add, change, rotate, test and delete one. */
export default function WebhooksPage({ loaderData, actionData }: Route.ComponentProps) {
  const { answer, edited, done } = loaderData;
  const rejected = actionData?.rejected ?? null;
  return (
    <Page
      title="Webhooks"
      lead="Alerts as signed HTTP requests to systems of your own."
      tabs={useSettingsTabs('Webhooks')}
      note={
        <>
          {done && !actionData ? <Notice tone="done">{sentences[done]}</Notice> : null}
          <Done done={actionData?.done ?? null} />
          {rejected && !['add', 'save'].includes(rejected.intent) ? (
            <Notice tone="problem">{rejected.problem.error}</Notice>
          ) : null}
        </>
      }
    >
      <Panel title="Endpoints" result={answer}>
        {({ endpoints, version }) =>
          endpoints.length === 0 ? (
            <p>Nothing is sent: there is no endpoint.</p>
          ) : (
            endpoints.map((one) => (
              <article key={one.id}>
                <h3>{one.name}</h3>
                <EndpointState endpoint={one} version={version} />
              </article>
            ))
          )
        }
      </Panel>
      {answer.ok ? (
        <Edit
          endpoint={answer.data.endpoints.find(({ id }) => id === edited) ?? null}
          version={answer.data.version}
          rejected={rejected}
        />
      ) : null}
      <p className="source">
        An endpoint receives alerts of rules that name it. Metric, repository and value leave this service; people never
        do. <a href="/docs/open/webhooks">What is sent, and how to verify it</a>
      </p>
    </Page>
  );
}

/** What the last button came to, where the page does not show it itself. */
function Done({ done }: { done: { intent: string; result: object } | null }) {
  if (done?.intent === 'test') {
    const { status, ms } = done.result as { status: number; ms: number };
    return <Notice tone="done">{`The endpoint answered ${status} in ${ms} ms.`}</Notice>;
  }
  const { secret } = (done?.result ?? {}) as { secret?: string };
  if (!secret) return null;
  const note = done?.intent === 'rotate' ? 'For 24 hours requests carry signatures of both secrets.' : null;
  return <CopyNow what="secret" label="Secret" text={secret} note={note} />;
}

function Edit({ endpoint, version, rejected }: Parameters<typeof EndpointForm>[0]) {
  return (
    <Section title={endpoint ? `Change ${endpoint.name}` : 'New endpoint'}>
      <EndpointForm endpoint={endpoint} version={version} rejected={rejectedBy(rejected, endpoint ? 'save' : 'add')} />
    </Section>
  );
}
