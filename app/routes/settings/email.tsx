import { data } from 'react-router';
import { getEmailSettings, putEmailSettings, testEmail } from '../../../server/api/settings/email.ts';
import { panel, submit } from '../../../server/http/adapters.ts';
import { readFlash } from '../../../server/http/done.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { Facts } from '../../components/facts.tsx';
import { CheckField, SecretField, SelectField, TextField } from '../../components/field.tsx';
import { Form, getFieldError, keptInput, rejectedBy, type Submitted, submittedField } from '../../components/form.tsx';
import { Moment } from '../../components/moment.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Panel, Section } from '../../components/panel.tsx';
import type { Route } from './+types/email';
import { LastSaved } from './last-saved.tsx';
import { useSettingsTabs } from './tabs.ts';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const isSaved = (await readFlash(pageRequest.context, 'saved')) === 'email';
  return { settings: await panel(getEmailSettings, pageRequest), isSaved };
};

export const action = async ({ context, params, request }: Route.ActionArgs) => {
  const pageRequest = { context: context.get(requestContext), params, request };
  const done = await submit(pageRequest, {
    save: {
      operation: putEmailSettings,
      next: '/settings/email?saved=email',
      // A box that is not ticked sends nothing.
      values: (form) => ({ enabled: form.get('enabled') === 'true' }),
    },
    test: { operation: testEmail },
  });
  return done instanceof Response ? done : data(done.data, { status: done.status });
};

/** What mail goes out through, what came of the last email, and how to change and to try it. */
export default function EmailSettingsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { csrf } = usePageContext();
  const { settings, isSaved } = loaderData;
  const rejected = actionData?.rejected ?? null;
  const isSent = actionData?.done?.intent === 'test';
  return (
    <Page title="Email" lead="Provider for alert and digest emails." tabs={useSettingsTabs('Email')}>
      {isSaved && !actionData ? <Notice tone="done">Saved.</Notice> : null}
      <Panel title="Status" result={settings}>
        {(data) => <Status data={data} />}
      </Panel>
      <Panel title="Provider" result={settings}>
        {(data) => <Provider data={data} rejected={rejectedBy(rejected, 'save')} />}
      </Panel>
      <Section title="Test">
        {isSent ? <Notice tone="done">The provider accepted the email. Check the inbox.</Notice> : null}
        <Form csrf={csrf} intent="test" submitted={rejected} submit="Send test email" label="Test email">
          <TextField
            {...submittedField(rejectedBy(rejected, 'test'), 'to')}
            label="Recipient"
            type="email"
            required
            maxLength={254}
            hint="Up to three per minute."
          />
        </Form>
      </Section>
    </Page>
  );
}

type Props = Route.ComponentProps;
type Settings = Extract<Props['loaderData']['settings'], { ok: true }>['data'];

const names = { postmark: 'Postmark', resend: 'Resend', smtp: 'SMTP relay' };

const sources: Record<Settings['effective_source'], string> = {
  settings: 'Email is configured below',
  env: 'Email is configured in the environment',
  none: 'No email provider configured',
  settings_broken: 'No email is sent: saved settings are invalid',
};

function Status({ data }: { data: Settings }) {
  const { effective_provider: provider, effective_from: from } = data;
  return (
    <>
      <p>
        <strong>{sources[data.effective_source]}</strong>
        {provider === null ? '.' : `: ${names[provider]}, from ${from}.`}
      </p>
      {data.effective_source === 'settings_broken' ? (
        <Notice tone="problem" title="Email is off.">
          The saved settings cannot be decrypted. Save them again with the key.
        </Notice>
      ) : null}
      <Facts
        facts={[
          { label: 'Last email sent', value: <When at={data.last_success_at} /> },
          { label: 'Last failed delivery', value: <When at={data.last_error_at} /> },
          ...(data.last_error === null ? [] : [{ label: 'Provider response', value: data.last_error }]),
        ]}
      />
    </>
  );
}

const When = ({ at }: { at: string | null }) => (at === null ? 'none yet' : <Moment at={at} />);

interface ProviderProps {
  data: Settings;
  rejected: Submitted | null;
}

function Provider({ data, rejected }: ProviderProps) {
  const { csrf } = usePageContext();
  if (!data.db_available)
    return (
      <Notice tone="partial" title="No database.">
        The database is missing or cannot be reached, so settings cannot be saved. You can configure a provider in the
        environment.
      </Notice>
    );
  const typed = keptInput(rejected);
  const isTicked = typed ? typed.values.enabled === 'true' : data.enabled;
  return (
    <>
      <Form
        csrf={csrf}
        intent="save"
        submitted={rejected}
        submit="Save"
        label="Email delivery"
        hidden={{ version: data.version }}
        primary
      >
        <CheckField
          name="enabled"
          label="Use this provider"
          checked={isTicked}
          hint="Only this provider is used. The environment is ignored."
        />
        <SelectField
          {...submittedField(typed, 'provider', data.provider)}
          label="Provider"
          required
          options={(['postmark', 'resend'] as const).map((value) => ({ value, label: names[value] }))}
        />
        <TextField
          {...submittedField(typed, 'from_address', data.from_address)}
          label="From"
          maxLength={360}
          autoComplete="off"
          hint="An address the provider can send from, or Name <address>."
        />
        <SecretField
          name="api_key"
          label="Key"
          saved={data.has_key ? data.api_key_hint : null}
          error={getFieldError(rejected, 'api_key')}
          hint="Each provider needs its own key. It is stored encrypted and never shown."
        />
      </Form>
      <LastSaved by={data.updated_by} at={data.updated_at} />
    </>
  );
}
