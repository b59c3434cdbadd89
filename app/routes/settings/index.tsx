import { data, redirect } from 'react-router';
import { getMe } from '../../../server/api/session/session.ts';
import { getTeamSettings } from '../../../server/api/settings/team.ts';
import { panel } from '../../../server/http/adapters.ts';
import { describeConfiguration } from '../../../server/http/configured.ts';
import { readFlash, saveFlash } from '../../../server/http/done.ts';
import { isOffered } from '../../../server/http/page-access.ts';
import { hidingChoices, readDismissal } from '../../../server/http/preferences.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { Explanations } from '../../components/explanations.tsx';
import { Facts } from '../../components/facts.tsx';
import { ChoiceField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Moment } from '../../components/moment.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Panel, Section } from '../../components/panel.tsx';
import { SharedParamsLink } from '../../components/shared-params.tsx';
import type { Route } from './+types/index';
import { useSettingsTabs } from './tabs.ts';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  return {
    me: await panel(getMe, pageRequest),
    hiding: await hidingChoices(pageRequest.context),
    isSaved: (await readFlash(pageRequest.context, 'saved')) === 'hiding',
    configured: (await isOffered(getTeamSettings, pageRequest.context))
      ? describeConfiguration(pageRequest.context)
      : null,
  };
};

export const action = async ({ context, request }: Route.ActionArgs) => {
  const pageRequest = context.get(requestContext);
  const cookie = await readDismissal(pageRequest, await request.formData());
  if (cookie === null) return data({ isRefused: true }, { status: 403 });
  const target = '/settings?saved=hiding';
  await saveFlash(pageRequest, target);
  return redirect(target, { status: 303, headers: { 'Set-Cookie': cookie } });
};

/** Whose session this is, what they want to see, and how the service was set up. */
export default function SettingsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { csrf, pages } = usePageContext();
  const { me, hiding, isSaved } = loaderData;
  return (
    <Page
      title="Settings"
      description="Account, display preferences and installation."
      tabs={useSettingsTabs('Account')}
    >
      {isSaved ? <Notice tone="done">Preferences saved in this browser.</Notice> : null}
      {actionData?.isRefused ? (
        <Notice tone="problem">This form belongs to another session. Reload the page and retry.</Notice>
      ) : null}
      <Panel title="Account" result={me}>
        {(data) => <Account account={data} />}
      </Panel>
      <Section title="Display">
        <p className="prose">Hide features you do not need in this browser. This does not change access.</p>
        <Form csrf={csrf} submit="Save preferences" label="Display" primary>
          <ChoiceField
            name="shown"
            label="Show"
            many
            options={hiding.map(({ key, label }) => ({ value: key, label }))}
            value={hiding.filter(({ isHidden }) => !isHidden).map(({ key }) => key)}
          />
        </Form>
        <Explanations
          title="What each feature shows"
          of={hiding.map(({ label, description }) => ({ name: label, text: description }))}
        />
      </Section>
      {loaderData.configured ? (
        <Section title="Installation">
          <Facts facts={loaderData.configured} />
          <p className="source">Set by the operator. Cannot be changed here.</p>
          {pages.includes('settings/advisor') ? (
            <p>
              <SharedParamsLink href="/settings/advisor">Settings of CI recommendations</SharedParamsLink>
            </p>
          ) : null}
          {pages.includes('settings/ai-authorship') ? (
            <p>
              <SharedParamsLink href="/settings/ai-authorship">Settings of AI-authored pull requests</SharedParamsLink>
            </p>
          ) : null}
        </Section>
      ) : null}
    </Page>
  );
}

type Me = Extract<Route.ComponentProps['loaderData']['me'], { ok: true }>['data'];

function Account({ account }: { account: Me }) {
  const { csrf, hostName } = usePageContext();
  const isShared = account.mode === 'organization';
  return (
    <>
      <Facts
        facts={[
          { label: 'Signed in as', value: account.name ? `${account.login} (${account.name})` : account.login },
          {
            label: 'Mode',
            value: isShared ? `organization: sign-in with ${hostName}` : 'standalone: single user with a token',
          },
          ...(isShared ? [{ label: 'Groups', value: account.groups.join(', ') || 'none' }] : []),
          {
            label: 'Session expires',
            value: account.session_expires_at ? (
              <>
                <Moment at={account.session_expires_at} as="date-time" /> (
                <Moment at={account.session_expires_at} />)
              </>
            ) : (
              'with the token'
            ),
          },
        ]}
      />
      <Form
        action="/sign-out"
        csrf={csrf}
        submit="Sign out"
        aside={
          <>
            <SharedParamsLink href="/settings/session">Where you are signed in</SharedParamsLink>
            {isShared ? null : <a href="/setup">Use another token</a>}
          </>
        }
      />
    </>
  );
}
