import { data } from 'react-router';
import { getEmailSettings, putEmailSettings, testEmail } from '../../../server/api/email-settings.ts';
import { panel, submit } from '../../../server/http/doors.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { Facts } from '../../components/facts.tsx';
import { CheckField, SecretField, SelectField, TextField } from '../../components/field.tsx';
import { errorOf, Form, keptValue, refusedHere, type Submitted } from '../../components/form.tsx';
import { Moment } from '../../components/moment.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { Panel, Section } from '../../components/panel.tsx';
import { useChrome } from '../chrome.ts';
import type { Route } from './+types/email';
import { useSettingsTabs } from './tabs.ts';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const asked = { context: context.get(requestContext), params };
  const isSaved = asked.context.url.searchParams.get('saved') === 'email';
  return { settings: await panel(getEmailSettings, asked), isSaved };
};

export const action = async ({ context, params, request }: Route.ActionArgs) => {
  const asked = { context: context.get(requestContext), params, request };
  const done = await submit(asked, {
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

/** What mail goes out through, what came of the last letter, and how to change and to try it. */
export default function EmailSettingsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { now, zone, csrf } = useChrome();
  const { settings, isSaved } = loaderData;
  const refused = actionData?.refused ?? null;
  const isSent = actionData?.done?.intent === 'test';
  return (
    <Page
      title="E-mail"
      lead="Alerts and digests are sent by e-mail through a provider of your own."
      tabs={useSettingsTabs('E-mail')}
    >
      {isSaved && !actionData ? <Notice tone="done">Saved.</Notice> : null}
      <Panel title="How mail goes out" of={settings} now={now} zone={zone}>
        {(of) => <Standing of={of} />}
      </Panel>
      <Panel title="Provider" of={settings} now={now} zone={zone}>
        {(of) => <Provider of={of} refused={refusedHere(refused, 'save')} />}
      </Panel>
      <Section title="Try it">
        {isSent ? <Notice tone="done">The provider took the letter. Look into the recipient’s inbox.</Notice> : null}
        <Form csrf={csrf} intent="test" submitted={refused} submit="Send a test letter" label="Test letter">
          <TextField
            {...{ name: 'to', label: 'Recipient', type: 'email', required: true, maxLength: 254 }}
            value={keptValue(refusedHere(refused, 'test'), 'to')}
            error={errorOf(refusedHere(refused, 'test'), 'to')}
            hint="Up to three letters in a minute."
          />
        </Form>
      </Section>
    </Page>
  );
}

type Props = Route.ComponentProps;
type Settings = Extract<Props['loaderData']['settings'], { ok: true }>['data'];

const names = { postmark: 'Postmark', resend: 'Resend', smtp: 'a relay (SMTP)' };

const sources: Record<Settings['effective_source'], string> = {
  settings: 'the settings below',
  env: 'the environment of the service',
  none: 'nothing: no provider is configured',
  settings_broken: 'nothing: the settings below are saved and cannot be used',
};

function Standing({ of }: { of: Settings }) {
  const { now, zone } = useChrome();
  const { effective_provider: provider, effective_from: from } = of;
  return (
    <>
      <p>
        <strong>Mail goes out through {sources[of.effective_source]}</strong>
        {provider === null ? '.' : `, by ${names[provider]}, from ${from}.`}
      </p>
      {of.effective_source === 'settings_broken' ? (
        <Notice tone="problem" title="Nothing is sent.">
          The saved key does not open any more, or what is saved cannot be read. Save the settings again with the key.
        </Notice>
      ) : null}
      <Facts
        of={[
          { label: 'Last letter taken', value: <When at={of.last_success_at} now={now} zone={zone} /> },
          { label: 'Last letter not taken', value: <When at={of.last_error_at} now={now} zone={zone} /> },
          ...(of.last_error === null ? [] : [{ label: 'The provider said', value: of.last_error }]),
        ]}
      />
    </>
  );
}

const When = ({ at, now, zone }: { at: string | null; now: number; zone: string }) =>
  at === null ? 'no letter yet' : <Moment at={at} now={now} zone={zone} />;

interface ProviderProps {
  of: Settings;
  refused: Submitted | null;
}

function Provider({ of, refused }: ProviderProps) {
  const { csrf, now, zone } = useChrome();
  if (!of.db_available)
    return (
      <Notice tone="partial" title="No database.">
        The database is missing or cannot be reached, so nothing can be saved here. The environment can name a provider.
      </Notice>
    );
  const isTicked = refused ? refused.values.enabled === 'true' : of.enabled;
  return (
    <>
      <Form csrf={csrf} intent="save" submitted={refused} submit="Save" label="E-mail delivery">
        <CheckField
          {...{ name: 'enabled', label: 'Send through this provider', checked: isTicked }}
          hint="Then it alone is used, whatever the environment says."
        />
        <SelectField
          {...{ name: 'provider', label: 'Provider', required: true }}
          options={(['postmark', 'resend'] as const).map((value) => ({ value, label: names[value] }))}
          value={keptValue(refused, 'provider', of.provider)}
          error={errorOf(refused, 'provider')}
        />
        <TextField
          {...{ name: 'from_address', label: 'From', maxLength: 360, autoComplete: 'off' }}
          value={keptValue(refused, 'from_address', of.from_address)}
          error={errorOf(refused, 'from_address')}
          hint="An address that the provider may send from, or Name <address>."
        />
        <SecretField
          {...{ name: 'api_key', label: 'Key', saved: of.has_key ? of.api_key_hint : null }}
          error={errorOf(refused, 'api_key')}
          hint="Another provider needs a key of its own. It is stored sealed and never shown again."
        />
      </Form>
      {of.updated_at === null ? null : (
        <p className="source">
          Saved by {of.updated_by ?? 'somebody'} <Moment at={of.updated_at} now={now} zone={zone} />
        </p>
      )}
    </>
  );
}
