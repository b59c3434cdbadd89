import { data } from 'react-router';
import {
  deleteWebhook,
  getWebhooks,
  putWebhook,
  rotateWebhook,
  testWebhookEndpoint,
} from '../../../server/api/settings/webhooks/operations.ts';
import { type PanelRequest, panel, type Submitted, submit } from '../../../server/http/adapters.ts';
import { readFlash } from '../../../server/http/done.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { CopyNow } from '../../components/copy-now.tsx';
import { rejectedBy } from '../../components/form.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { Panel, Section } from '../../components/panel.tsx';
import type { Route } from './+types/webhooks';
import { useSettingsTabs } from './tabs.ts';
import { type Endpoint, EndpointForm } from './webhook-endpoint-form.tsx';
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
  const repeated = await findRepeated(pageRequest);
  if (repeated) return data(repeated, { status: 409 });
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

/**
 * A form that makes a secret and was sent before, as by a reload of the page that shows it: another endpoint would be
 * added unseen, or the secret that receivers still have would end.
 */
async function findRepeated({
  request,
  ...pageRequest
}: PanelRequest & { request: Request }): Promise<Submitted | null> {
  const form = await request.clone().formData();
  const seen = form.get('seen');
  if (seen === null) return null;
  const answer = await panel(getWebhooks, pageRequest);
  if (!answer.ok || seen === stateOf(answer.data.endpoints)) return null;
  const error = 'This form was sent before, or endpoints changed since. Send it again if you still want to.';
  const problem = { error, code: 'invalid_request' as const, request_id: pageRequest.context.requestId };
  const values = { name: String(form.get('name') ?? ''), url: String(form.get('url') ?? '') };
  return { rejected: { intent: String(form.get('intent')), problem, values }, done: null };
}

/** Moves with every endpoint that is added, saved or given a new secret. */
const stateOf = (endpoints: readonly Endpoint[]) =>
  `${endpoints.at(-1)?.id ?? 0} ${endpoints.reduce((latest, one) => (one.updated_at > latest ? one.updated_at : latest), '')}`;

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
        {({ endpoints }) =>
          endpoints.length === 0 ? (
            <p>Nothing is sent: there is no endpoint.</p>
          ) : (
            endpoints.map((one) => (
              <article key={one.id}>
                <h3>{one.name}</h3>
                <EndpointState endpoint={one} seen={stateOf(endpoints)} />
              </article>
            ))
          )
        }
      </Panel>
      {answer.ok ? (
        <Edit
          endpoint={answer.data.endpoints.find(({ id }) => id === edited) ?? null}
          seen={stateOf(answer.data.endpoints)}
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

function Edit({ endpoint, seen, rejected }: Parameters<typeof EndpointForm>[0]) {
  return (
    <Section title={endpoint ? `Change ${endpoint.name}` : 'New endpoint'}>
      <EndpointForm endpoint={endpoint} seen={seen} rejected={rejectedBy(rejected, endpoint ? 'save' : 'add')} />
    </Section>
  );
}
