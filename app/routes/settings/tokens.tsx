import { data } from 'react-router';
import { featureLabels, tokenFormChoices } from '../../../server/api/tokens/form.ts';
import { createToken, getTokens, revokeTokens } from '../../../server/api/tokens/operations.ts';
import { type PanelRequest, panel, type Submitted, submit } from '../../../server/http/adapters.ts';
import { readFlash } from '../../../server/http/done.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { Form, rejectedBy } from '../../components/form.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Panel, Section } from '../../components/panel.tsx';
import type { Route } from './+types/tokens';
import { useSettingsTabs } from './tabs.ts';
import { NewToken, NewTokenForm } from './token-form.tsx';
import { TokenTable } from './token-table.tsx';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  return {
    tokens: await panel(getTokens, pageRequest),
    choices: await tokenFormChoices(pageRequest.context),
    labels: featureLabels,
    appUrl: pageRequest.context.services.env.APP_URL,
    wasRevoked: (await readFlash(pageRequest.context, 'revoked')) !== null,
  };
};

export const action = async ({ context, params, request }: Route.ActionArgs) => {
  const pageRequest = { context: context.get(requestContext), params, request };
  const repeated = await findRepeated(pageRequest);
  if (repeated) return data(repeated, { status: 409 });
  const next = '/settings/tokens?revoked=yes';
  const done = await submit(pageRequest, {
    make: { operation: createToken, values: readEnd },
    one: { operation: revokeTokens, next },
    all: { operation: revokeTokens, next },
  });
  return done instanceof Response ? done : data(done.data, { status: done.status });
};

/**
 * A form that was sent before, as by a reload of the page that shows a new token: that text cannot be shown again, and
 * another token would be made unseen.
 */
async function findRepeated({
  request,
  ...pageRequest
}: PanelRequest & { request: Request }): Promise<Submitted | null> {
  const form = await request.clone().formData();
  if (form.get('intent') !== 'make') return null;
  const listed = await panel(getTokens, pageRequest);
  if (!listed.ok || form.get('newest') === newestOf(listed.data.tokens)) return null;
  const error = 'This form was sent before, and made a token. Send it again for another one.';
  const problem = { error, code: 'invalid_request' as const, request_id: pageRequest.context.requestId };
  const texts = ['name', 'kind', 'expires_in_days', 'expires_at', 'features'].map((field) => [
    field,
    form.getAll(field).join(),
  ]);
  return { rejected: { intent: 'make', problem, values: Object.fromEntries(texts) }, done: null };
}

const newestOf = (tokens: readonly { id: number }[]): string => String(tokens[0]?.id ?? 'none');

/** A day ends with its last minute in UTC, and replaces the number of days. */
function readEnd(form: FormData): Record<string, unknown> {
  const day = form.get('expires_at');
  return day ? { expires_at: `${day}T23:59:59Z`, expires_in_days: undefined } : {};
}

type Made = { token: string; access_token: { name: string; kind: 'personal' | 'feed' } };

/** Tokens of this service for scripts, agents and dashboards: made, shown once, listed and revoked. */
export default function TokensPage({ loaderData, actionData }: Route.ComponentProps) {
  const { tokens, choices, labels, appUrl, wasRevoked } = loaderData;
  const rejected = actionData?.rejected ?? null;
  const made = actionData?.done?.intent === 'make' ? (actionData.done.result as Made) : null;
  return (
    <Page
      title="Access tokens"
      lead="For scripts, agents and dashboards. A token reads what you may see, and writes nothing."
      tabs={useSettingsTabs('Tokens')}
      note={
        <>
          {made ? <NewToken text={made.token} {...made.access_token} appUrl={appUrl} /> : null}
          {wasRevoked && !made && !rejected ? <Notice tone="done">Revoked.</Notice> : null}
          {rejected && rejected.intent !== 'make' ? <Notice tone="problem">{rejected.problem.error}</Notice> : null}
        </>
      }
    >
      <Panel title="Your tokens" result={tokens}>
        {({ tokens: rows }) => (
          <>
            <TokenTable rows={rows} labels={labels} />
            {rows.length > 0 ? <Ending live={rows.filter(isLive).length} /> : null}
          </>
        )}
      </Panel>
      {tokens.ok ? (
        <Section title="New token">
          <NewTokenForm
            choices={choices}
            newest={newestOf(tokens.data.tokens)}
            rejected={rejectedBy(rejected, 'make')}
          />
        </Section>
      ) : null}
    </Page>
  );
}

const isLive = ({ state }: { state: string }) => state !== 'revoked' && state !== 'expired';

/** How tokens end: all at once, and what lives on. */
function Ending({ live }: { live: number }) {
  const { csrf, hostName, webUrl } = usePageContext();
  return (
    <>
      {live > 1 ? <Form csrf={csrf} intent="all" submit="Revoke all" hidden={{ all: '1' }} danger /> : null}
      <p className="source">
        Signing out does not end tokens. A revoked token stops within a second; the token behind it stays valid on{' '}
        {hostName} until you revoke it under <a href={`${webUrl}/settings/applications`}>applications</a> or{' '}
        <a href={`${webUrl}/settings/tokens`}>tokens</a> there.
      </p>
    </>
  );
}
