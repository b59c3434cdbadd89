import { data } from 'react-router';
import { getAiAuthorshipSettings, putAiAuthorshipSettings } from '../../../server/api/settings/ai-authorship.ts';
import { panel, submit } from '../../../server/http/adapters.ts';
import { readFlash } from '../../../server/http/done.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { CheckField, TextAreaField } from '../../components/field.tsx';
import { Form, getFieldError, keptInput, submittedValue } from '../../components/form.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Panel } from '../../components/panel.tsx';
import type { Route } from './+types/ai-authorship';
import { LastSaved } from './last-saved.tsx';
import { linesOf } from './lines-of.ts';
import { useSettingsTabs } from './tabs.ts';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  return {
    settings: await panel(getAiAuthorshipSettings, pageRequest),
    isSaved: (await readFlash(pageRequest.context, 'saved')) === 'ai-authorship',
  };
};

export const action = async ({ context, params, request }: Route.ActionArgs) => {
  const pageRequest = { context: context.get(requestContext), params, request };
  const done = await submit(pageRequest, {
    save: {
      operation: putAiAuthorshipSettings,
      next: '/settings/ai-authorship?saved=ai-authorship',
      values: (form) => ({
        enabled: form.get('enabled') === 'true',
        labels: linesOf(form, 'labels'),
        own_agents: linesOf(form, 'own_agents').map(toOwnAgent),
        repositories_excluded: linesOf(form, 'repositories_excluded'),
      }),
    },
  });
  return done instanceof Response ? done : data(done.data, { status: done.status });
};

/** `Own agent | account | own-agent[bot] | author`, and the first and last day where there are any. */
function toOwnAgent(line: string) {
  const [agent = '', kind = '', value = '', effect = '', from = '', to = ''] = line
    .split('|')
    .map((part) => part.trim());
  return { agent, kind, value, effect, valid_from: from || null, valid_to: to || null };
}

type Saved = Extract<Route.ComponentProps['loaderData']['settings'], { ok: true }>['data'];

const toLine = ({ agent, kind, value, effect, valid_from, valid_to }: Saved['own_agents'][number]) =>
  [agent, kind, value, effect, ...(valid_from || valid_to ? [valid_from ?? '', valid_to ?? ''] : [])].join(' | ');

/** Whether marks of AI agents are looked for, and by what. */
export default function AiAuthorshipSettingsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { csrf } = usePageContext();
  const { settings, isSaved } = loaderData;
  const rejected = actionData?.rejected ?? null;
  const typed = keptInput(rejected);
  return (
    <Page
      title="AI-authored pull requests"
      lead="Whether pull requests are read for marks of AI agents, and by what. No name is stored with a mark."
      tabs={useSettingsTabs('Account')}
    >
      {isSaved && !rejected ? <Notice tone="done">Saved.</Notice> : null}
      <Panel title="Marks" result={settings}>
        {(saved) => {
          const lines = (name: string, value: readonly string[]) => ({
            name,
            value: submittedValue(typed, name, value.join('\n')),
            error: getFieldError(rejected, name),
          });
          return (
            <>
              <Form
                csrf={csrf}
                intent="save"
                submitted={rejected}
                submit="Save"
                label="AI-authored pull requests"
                hidden={{ version: saved.version }}
                primary
              >
                <CheckField
                  name="enabled"
                  label="Look for marks of AI agents"
                  checked={submittedValue(typed, 'enabled', typed ? 'false' : String(saved.enabled)) === 'true'}
                  hint="Read every night, back to 400 days. Switching it off removes what was found."
                />
                <TextAreaField
                  {...lines('labels', saved.labels)}
                  label="Labels"
                  hint="One a line. A pull request with one of them is AI-assisted."
                />
                <TextAreaField
                  {...lines('own_agents', saved.own_agents.map(toLine))}
                  label="Own agents"
                  hint="One a line: agent | account, app, address, branch or trailer | value | author, assist, review or none | first day | last day. The days are optional."
                />
                <TextAreaField
                  {...lines('repositories_excluded', saved.repositories_excluded)}
                  label="Excluded repositories"
                  hint="One a line, as owner/name. They are not read and do not count."
                />
              </Form>
              <LastSaved by={saved.updated_by} at={saved.updated_at} />
            </>
          );
        }}
      </Panel>
    </Page>
  );
}
