import { data } from 'react-router';
import { getAiSettings, putAiSettings } from '../../../server/api/settings/ai.ts';
import { panel, submit } from '../../../server/http/adapters.ts';
import { readFlash } from '../../../server/http/done.ts';
import { type FieldRules, formFields } from '../../../server/http/form-fields.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { CheckField, SecretField, SelectField, TextField } from '../../components/field.tsx';
import { Form, getFieldError, type Submitted, submittedField } from '../../components/form.tsx';
import { Moment } from '../../components/moment.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Panel, Section } from '../../components/panel.tsx';
import type { Route } from './+types/ai';
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
  const { now, zone } = usePageContext();
  const { settings, isSaved } = loaderData;
  return (
    <Page
      title="AI"
      lead="A language model can put what the numbers say into words: summaries, explanations, hypotheses."
      tabs={useSettingsTabs('AI')}
    >
      {isSaved && !actionData ? <Notice tone="done">Saved. It holds from the next text on.</Notice> : null}
      <Panel title="Who writes" result={settings} now={now} zone={zone}>
        {(data) => <Status data={data} />}
      </Panel>
      <Panel title="Provider" result={settings} now={now} zone={zone}>
        {(data) => <Provider data={data} rules={loaderData.rules} rejected={actionData?.rejected ?? null} />}
      </Panel>
      <Section title="What leaves">
        <p className="prose">
          Measurements, dates, and names of repositories, workflows, jobs and steps. Never logins, code, logs, commit
          messages, titles, branches, addresses or tokens. What comes back is checked, shown as plain text beside its
          numbers, and named after the model that wrote it.
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
        <strong>Texts are written {describeWriter(data)}.</strong>
      </p>
      {data.effective_source === 'settings_broken' ? (
        <Notice tone="problem" title="Nothing is written.">
          {data.db_available
            ? 'The saved key does not open any more, or is for another address. Save the settings again with the key.'
            : 'The database cannot be reached, so nobody knows what was saved; nothing else stands in for it.'}
        </Notice>
      ) : null}
    </>
  );
}

function describeWriter(data: Settings): string {
  if (data.disabled_by_env) return 'by nobody: AI_DISABLED switches them off';
  const usual = data.providers.find(({ provider }) => provider === data.provider)?.default_model;
  const labels: Record<Settings['effective_source'], string> = {
    settings: `through the settings below: ${names[data.provider]}, ${data.model ?? usual}`,
    env: `through the environment: ${data.env_providers.map((one) => names[one]).join(', then ')}`,
    none: 'by nobody: no provider has a key',
    settings_broken: 'by nobody: what is saved cannot be used',
  };
  return labels[data.effective_source];
}

interface ProviderProps {
  rules: Record<string, FieldRules>;
  data: Settings;
  rejected: Submitted | null;
}

function Provider({ data, rules, rejected }: ProviderProps) {
  const { csrf, now, zone } = usePageContext();
  if (!data.configurable)
    return (
      <Notice title="Fixed.">
        Where one person uses the service alone, providers are named by the environment: ANTHROPIC_API_KEY,
        GEMINI_API_KEY, OPENAI_API_KEY; AI_DISABLED switches texts off.
      </Notice>
    );
  if (!data.db_available)
    return <Notice tone="partial">The database cannot be reached, so nothing can be saved right now.</Notice>;
  const isTicked = rejected ? rejected.values.enabled === 'true' : data.enabled;
  const models = data.providers.map((one) => `${one.default_model} (${names[one.provider]})`).join(', ');
  const hosts = data.providers.map((one) => new URL(one.default_base_url).host).join(', ');
  return (
    <>
      <Form csrf={csrf} submitted={rejected} submit="Save" label="AI provider">
        <CheckField
          name="enabled"
          label="Write through this provider"
          checked={isTicked}
          hint="Then it alone is asked; keys of the environment never stand in for it."
        />
        <SelectField
          {...submittedField(rejected, 'provider', data.provider, rules)}
          label="Provider"
          options={data.providers.map(({ provider }) => ({ value: provider, label: names[provider] }))}
        />
        <TextField
          {...submittedField(rejected, 'model', data.model, rules)}
          label="Model"
          autoComplete="off"
          list={data.providers.flatMap(({ models }) => models)}
          hint={`Empty is the usual one: ${models}.`}
        />
        <TextField
          {...submittedField(rejected, 'base_url', data.base_url, rules)}
          label="Address"
          type="url"
          autoComplete="off"
          hint={`An https address. Empty is the usual one, at ${hosts}.`}
        />
        <SecretField
          name="api_key"
          label="Key"
          saved={data.has_key ? data.api_key_hint : null}
          error={getFieldError(rejected, 'api_key')}
          hint="Another provider or host needs the key again. It is stored sealed and never shown."
        />
      </Form>
      {data.updated_at === null ? null : (
        <p className="source">
          Saved by {data.updated_by ?? 'somebody'} <Moment at={data.updated_at} zone={zone} now={now} />
        </p>
      )}
    </>
  );
}
