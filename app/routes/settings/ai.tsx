import { data } from 'react-router';
import { getAiSettings, putAiSettings } from '../../../server/api/settings/ai.ts';
import { panel, submit } from '../../../server/http/adapters.ts';
import { readFlash } from '../../../server/http/done.ts';
import { type FieldRules, formFields } from '../../../server/http/form-fields.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { CheckField, SecretField, SelectField, TextField } from '../../components/field.tsx';
import { Form, getFieldError, keptInput, type Submitted, submittedField } from '../../components/form.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Panel, Section } from '../../components/panel.tsx';
import type { Route } from './+types/ai';
import { LastSaved } from './last-saved.tsx';
import { useSettingsTabs } from './tabs.ts';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const isSaved = (await readFlash(pageRequest.context, 'saved')) === 'ai';
  return { settings: await panel(getAiSettings, pageRequest), rules: formFields(putAiSettings), isSaved };
};

export const action = async ({ context, params, request }: Route.ActionArgs) => {
  const pageRequest = { context: context.get(requestContext), params, request };
  const done = await submit(pageRequest, {
    save: {
      operation: putAiSettings,
      next: '/settings/ai?saved=ai',
      // A box that is not ticked sends nothing.
      values: (form) => ({ enabled: form.get('enabled') === 'true' }),
    },
  });
  return done instanceof Response ? done : data(done.data, { status: done.status });
};

/** Who writes the texts beside the numbers, what leaves for them, and how to choose another provider. */
export default function AiSettingsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { settings, isSaved } = loaderData;
  return (
    <Page
      title="AI"
      lead="AI summaries, explanations and hypotheses based on your metrics."
      tabs={useSettingsTabs('AI')}
    >
      {isSaved && !actionData ? <Notice tone="done">AI settings saved.</Notice> : null}
      <Panel title="Status" result={settings}>
        {(data) => <Status data={data} />}
      </Panel>
      <Panel title="Provider" result={settings}>
        {(data) => <Provider data={data} rules={loaderData.rules} rejected={actionData?.rejected ?? null} />}
      </Panel>
      <Section title="Data sent">
        <p className="prose">
          Metrics, dates, and names of repositories, workflows, jobs and steps. Never logins, code, logs, commit
          messages, titles, branches, addresses or tokens. Responses are checked and shown as plain text with the
          model’s name.
        </p>
      </Section>
    </Page>
  );
}

type Props = Route.ComponentProps;
type Settings = Extract<Props['loaderData']['settings'], { ok: true }>['data'];

const names: Record<Settings['provider'], string> = {
  anthropic: 'Anthropic',
  gemini: 'Gemini',
  openai: 'OpenAI or compatible',
};

function Status({ data }: { data: Settings }) {
  return (
    <>
      <p>
        <strong>{describeWriter(data)}.</strong>
      </p>
      {data.effective_source === 'settings_broken' ? (
        <Notice tone="problem" title="AI is off.">
          {data.db_available
            ? 'The saved key cannot be decrypted or belongs to another address. Save the settings again with the key.'
            : 'The database cannot be reached, so saved settings are unavailable.'}
        </Notice>
      ) : null}
    </>
  );
}

function describeWriter(data: Settings): string {
  if (data.disabled_by_env) return 'AI is off (AI_DISABLED)';
  const usual = data.providers.find(({ provider }) => provider === data.provider)?.default_model;
  const labels: Record<Settings['effective_source'], string> = {
    settings: `AI is on, configured below: ${names[data.provider]}, ${data.model ?? usual}`,
    env: `AI is on, configured in the environment: ${data.env_providers.map((one) => names[one]).join(', then ')}`,
    none: 'AI is off: no provider configured',
    settings_broken: 'AI is off: saved settings are invalid',
  };
  return labels[data.effective_source];
}

interface ProviderProps {
  rules: Record<string, FieldRules>;
  data: Settings;
  rejected: Submitted | null;
}

function Provider({ data, rules, rejected }: ProviderProps) {
  const { csrf } = usePageContext();
  if (!data.configurable)
    return (
      <Notice title="Fixed.">
        In standalone mode, configure providers in the environment: ANTHROPIC_API_KEY, GEMINI_API_KEY, OPENAI_API_KEY.
        AI_DISABLED turns AI off.
      </Notice>
    );
  if (!data.db_available)
    return <Notice tone="partial">The database cannot be reached, so settings cannot be saved.</Notice>;
  const typed = keptInput(rejected);
  const isTicked = typed ? typed.values.enabled === 'true' : data.enabled;
  const models = data.providers.map((one) => `${one.default_model} (${names[one.provider]})`).join(', ');
  const hosts = data.providers.map((one) => new URL(one.default_base_url).host).join(', ');
  return (
    <>
      <Form
        csrf={csrf}
        submitted={rejected}
        submit="Save"
        label="AI provider"
        hidden={{ version: data.version }}
        primary
      >
        <CheckField
          name="enabled"
          label="Use this provider"
          checked={isTicked}
          hint="Only this provider is used. Keys in the environment are ignored."
        />
        <SelectField
          {...submittedField(typed, 'provider', data.provider, rules)}
          label="Provider"
          options={data.providers.map(({ provider }) => ({ value: provider, label: names[provider] }))}
        />
        <TextField
          {...submittedField(typed, 'model', data.model, rules)}
          label="Model"
          autoComplete="off"
          list={data.providers.flatMap(({ models }) => models)}
          hint={`Default: ${models}.`}
        />
        <TextField
          {...submittedField(typed, 'base_url', data.base_url, rules)}
          label="Address"
          type="url"
          autoComplete="off"
          hint={`An https URL. Default: ${hosts}.`}
        />
        <SecretField
          name="api_key"
          label="Key"
          saved={data.has_key ? data.api_key_hint : null}
          error={getFieldError(rejected, 'api_key')}
          hint="Enter the key again after changing provider or host. It is stored encrypted and never shown."
        />
      </Form>
      <LastSaved by={data.updated_by} at={data.updated_at} />
    </>
  );
}
