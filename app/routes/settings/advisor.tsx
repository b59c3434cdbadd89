import { data } from 'react-router';
import { getAdvisorSettings, putAdvisorSettings, recommendedKinds } from '../../../server/api/settings/advisor.ts';
import { panel, submit } from '../../../server/http/adapters.ts';
import { readFlash } from '../../../server/http/done.ts';
import { formFields } from '../../../server/http/form-fields.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { CheckField, ChoiceField, TextAreaField, TextField } from '../../components/field.tsx';
import { Form, getFieldError, keptInput, submittedField, submittedValue } from '../../components/form.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Panel } from '../../components/panel.tsx';
import type { Route } from './+types/advisor';
import { LastSaved } from './last-saved.tsx';
import { linesOf } from './lines-of.ts';
import { useSettingsTabs } from './tabs.ts';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  return {
    settings: await panel(getAdvisorSettings, pageRequest),
    rules: formFields(putAdvisorSettings),
    kinds: recommendedKinds.map(({ id, title }) => ({ value: id, label: title })),
    isSwitchedOff: pageRequest.context.services.env.ADVISOR === 'off',
    isSaved: (await readFlash(pageRequest.context, 'saved')) === 'advisor',
  };
};

const switches = ['enabled', 'pull_requests', 'pull_request_cost', 'draft_default'] as const;

export const action = async ({ context, params, request }: Route.ActionArgs) => {
  const pageRequest = { context: context.get(requestContext), params, request };
  const done = await submit(pageRequest, {
    save: {
      operation: putAdvisorSettings,
      next: '/settings/advisor?saved=advisor',
      values: (form) => ({
        ...Object.fromEntries(switches.map((name) => [name, form.get(name) === 'true'])),
        repositories: linesOf(form, 'repositories').length === 0 ? 'tracked' : linesOf(form, 'repositories'),
        kinds_off: form.getAll('kinds_off'),
      }),
    },
  });
  return done instanceof Response ? done : data(done.data, { status: done.status });
};

/** What is recommended for workflow files, and whether pull requests are opened from here. */
export default function AdvisorSettingsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { csrf } = usePageContext();
  const { settings, rules, kinds: options, isSwitchedOff, isSaved } = loaderData;
  const rejected = actionData?.rejected ?? null;
  const typed = keptInput(rejected);
  return (
    <Page
      title="CI recommendations"
      lead="What is recommended for workflow files, and how."
      tabs={useSettingsTabs('Account')}
    >
      {isSaved && !rejected ? <Notice tone="done">Saved.</Notice> : null}
      {isSwitchedOff ? (
        <Notice title="Off.">
          Whoever operates this service set ADVISOR to off: the choices below have no effect.
        </Notice>
      ) : null}
      <Panel title="Recommendations" result={settings}>
        {(saved) => {
          const isOn = (name: (typeof switches)[number]) =>
            submittedValue(typed, name, typed ? 'false' : String(saved[name])) === 'true';
          return (
            <>
              <Form
                csrf={csrf}
                intent="save"
                submitted={rejected}
                submit="Save"
                label="CI recommendations"
                hidden={{ version: saved.version }}
                primary
              >
                <CheckField name="enabled" label="Recommend changes of workflow files" checked={isOn('enabled')} />
                <TextField
                  {...submittedField(typed, 'window_days', saved.window_days, rules)}
                  label="Days of history"
                  type="number"
                  hint="28 to 90. Fewer follow recent changes sooner."
                />
                <TextAreaField
                  name="repositories"
                  value={submittedValue(
                    typed,
                    'repositories',
                    saved.repositories === 'tracked' ? '' : saved.repositories.join('\n'),
                  )}
                  error={getFieldError(rejected, 'repositories')}
                  label="Repositories"
                  hint="One a line, as owner/name. When empty: all that are synchronized."
                />
                <CheckField
                  name="pull_requests"
                  label="Pull requests can be opened from this service"
                  checked={isOn('pull_requests')}
                  hint="In the name of whoever opens them, with their own token."
                />
                <CheckField
                  name="draft_default"
                  label="Open pull requests as drafts, unless their author says otherwise"
                  checked={isOn('draft_default')}
                />
                <CheckField
                  name="pull_request_cost"
                  label="The text of a pull request says what it saves at list prices"
                  checked={isOn('pull_request_cost')}
                  hint="Where its author may see costs; everybody who can read the repository reads it."
                />
                <ChoiceField
                  name="kinds_off"
                  label="Never recommend"
                  options={options}
                  value={typed ? submittedValue(typed, 'kinds_off').split(',') : saved.kinds_off}
                  many
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
