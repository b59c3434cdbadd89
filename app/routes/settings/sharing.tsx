import { data } from 'react-router';
import { getSharing, putSharing } from '../../../server/api/settings/sharing.ts';
import { panel, submit } from '../../../server/http/adapters.ts';
import { readFlash } from '../../../server/http/done.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { CheckField, SelectField } from '../../components/field.tsx';
import { Form, keptInput, submittedField, submittedValue } from '../../components/form.tsx';
import { Moment } from '../../components/moment.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Panel } from '../../components/panel.tsx';
import type { Route } from './+types/sharing';
import { useSettingsTabs } from './tabs.ts';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  return {
    settings: await panel(getSharing, pageRequest),
    isMcpEnabled: pageRequest.context.services.env.MCP_ENABLED,
    mcpOrigins: pageRequest.context.services.env.MCP_ALLOWED_ORIGINS,
    embedOrigins: pageRequest.context.services.env.EMBED_ORIGINS,
    isSaved: (await readFlash(pageRequest.context, 'saved')) !== null,
  };
};

export const action = async ({ context, params, request }: Route.ActionArgs) => {
  const pageRequest = { context: context.get(requestContext), params, request };
  const done = await submit(pageRequest, {
    save: {
      operation: putSharing,
      next: '/settings/sharing?saved=yes',
      values: (form) => ({ public_badges: form.get('public_badges') === 'true' }),
    },
  });
  return done instanceof Response ? done : data(done.data, { status: done.status });
};

/** What may be read without signing in, and who may allow it. */
export default function SharingPage({ loaderData, actionData }: Route.ComponentProps) {
  const { csrf, mode } = usePageContext();
  const { settings, isMcpEnabled, mcpOrigins, embedOrigins, isSaved } = loaderData;
  const rejected = actionData?.rejected;
  const typed = keptInput(rejected);
  const options = [
    { value: 'off', label: 'Off' },
    ...(mode === 'organization' ? [{ value: 'admins', label: 'Administrators' }] : []),
    { value: 'members', label: mode === 'organization' ? 'All members' : 'You' },
  ];
  return (
    <Page
      title="Who may share"
      lead="What may be read without signing in."
      tabs={useSettingsTabs('Sharing')}
      note={isSaved && !rejected ? <Notice tone="done">Saved.</Notice> : null}
    >
      <Panel title="Badges and links" result={settings}>
        {(saved) => (
          <>
            <Form
              csrf={csrf}
              intent="save"
              submitted={rejected}
              submit="Save"
              label="Sharing"
              hidden={{ version: saved.version }}
              primary
            >
              <SelectField
                {...submittedField(typed, 'sharing', saved.sharing)}
                label="Who may make badges and links"
                required
                options={options}
                hint="Off also stops those that exist."
              />
              <CheckField
                name="public_badges"
                label="Badges of public repositories need no token"
                checked={submittedValue(typed, 'public_badges', String(saved.public_badges)) === 'true'}
                hint="Anybody may then ask for their numbers by name."
              />
            </Form>
            {saved.updated_at ? (
              <p className="source">
                Saved by {saved.updated_by} <Moment at={saved.updated_at} />
              </p>
            ) : null}
          </>
        )}
      </Panel>
      <p className="source">
        Agents over MCP are {isMcpEnabled ? 'on' : 'off'} (<code>MCP_ENABLED</code>). Each needs an access token of its
        owner. Sites whose pages may call MCP: {listSites(mcpOrigins)} (<code>MCP_ALLOWED_ORIGINS</code>). Sites that
        may frame shared pages: {listSites(embedOrigins)} (<code>EMBED_ORIGINS</code>).
      </p>
    </Page>
  );
}

const listSites = (origins: readonly string[]): string => (origins.length > 0 ? origins.join(', ') : 'none');
