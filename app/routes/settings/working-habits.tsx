import { data } from 'react-router';
import { getWorkingHabitsSettings, putWorkingHabitsSettings } from '../../../server/api/settings/team.ts';
import { count, figures } from '../../../server/domain/quantity.ts';
import { panel, submit } from '../../../server/http/adapters.ts';
import { readFlash } from '../../../server/http/done.ts';
import { formFields } from '../../../server/http/form-fields.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { Facts } from '../../components/facts.tsx';
import { TextField } from '../../components/field.tsx';
import { Form, keptInput, submittedField } from '../../components/form.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Panel } from '../../components/panel.tsx';
import type { Route } from './+types/working-habits';
import { SavedBy } from './saved-by.tsx';
import { useSettingsTabs } from './tabs.ts';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const isSaved = (await readFlash(pageRequest.context, 'saved')) === 'thresholds';
  return {
    settings: await panel(getWorkingHabitsSettings, pageRequest),
    rules: formFields(putWorkingHabitsSettings),
    isSaved,
  };
};

export const action = async ({ context, params, request }: Route.ActionArgs) => {
  const pageRequest = { context: context.get(requestContext), params, request };
  const done = await submit(pageRequest, {
    save: { operation: putWorkingHabitsSettings, next: '/settings/working-habits?saved=thresholds' },
  });
  return done instanceof Response ? done : data(done.data, { status: done.status });
};

const thresholds = [
  { name: 'files_per_commit', label: 'Files per commit' },
  { name: 'lines_per_commit', label: 'Changed lines per commit' },
  { name: 'commits_per_pr', label: 'Commits per pull request' },
] as const;

/** Above which size a commit or a pull request counts as oversized. */
export default function WorkingHabitsSettingsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { csrf, mode } = usePageContext();
  const rejected = actionData?.rejected;
  const typed = keptInput(rejected);
  return (
    <Page
      title="Thresholds of working habits"
      lead="Size above which commits and pull requests count as oversized. Applies to past data too."
      tabs={useSettingsTabs('Habits')}
      actions={<a href="/working-habits">See working habits</a>}
    >
      {loaderData.isSaved ? <Notice tone="done">Saved.</Notice> : null}
      <Panel title="Thresholds" result={loaderData.settings}>
        {(saved) => (
          <>
            {mode === 'standalone' || !saved.db_available ? (
              <Facts
                facts={thresholds.map(({ name, label }) => ({ label, value: `more than ${figures(saved[name])}` }))}
              />
            ) : (
              <Form
                csrf={csrf}
                submitted={rejected}
                submit="Save"
                label="Thresholds"
                hidden={{ version: saved.version }}
                primary
              >
                {thresholds.map(({ name, label }) => (
                  <TextField
                    key={name}
                    {...submittedField(typed, name, saved[name], loaderData.rules)}
                    label={label}
                    type="number"
                    hint={`1 to ${figures(loaderData.rules[name]?.max ?? 0)}; default ${figures(saved.defaults[name])}.`}
                  />
                ))}
              </Form>
            )}
            <p>
              {`Oversized: a commit with more than ${count(saved.files_per_commit, 'file')} or ${count(saved.lines_per_commit, 'line')}, or a pull request with more than ${count(saved.commits_per_pr, 'commit')}.`}
            </p>
            <SavedBy settings={saved} />
          </>
        )}
      </Panel>
    </Page>
  );
}
