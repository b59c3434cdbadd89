import { data } from 'react-router';
import { getTeamSettings, putTeamSettings } from '../../../server/api/settings/team.ts';
import { panel, submit } from '../../../server/http/adapters.ts';
import { readFlash } from '../../../server/http/done.ts';
import { formFields } from '../../../server/http/form-fields.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { previewWorkday } from '../../../server/reports/habits/operations.ts';
import { hourText } from '../../charts/zone-time.ts';
import { Facts } from '../../components/facts.tsx';
import { TextField } from '../../components/field.tsx';
import { Form, keptInput, submittedField } from '../../components/form.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Panel, Section } from '../../components/panel.tsx';
import type { Route } from './+types/team';
import { SavedBy } from './saved-by.tsx';
import { useSettingsTabs } from './tabs.ts';

const fields = ['timezone', 'start', 'end'] as const;

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const query = pageRequest.context.url.searchParams;
  const initial = Object.fromEntries(fields.map((name) => [name, query.get(name)]));
  const settings = await panel(getTeamSettings, pageRequest);
  const saved = settings.ok ? settings.data : null;
  const extra = Object.fromEntries(fields.map((name) => [name, initial[name] ?? saved?.[name]?.toString()]));
  return {
    settings,
    rules: formFields(putTeamSettings),
    initial,
    isPreview: query.has('timezone'),
    isSaved: (await readFlash(pageRequest.context, 'saved')) === 'workday',
    examples: await panel(previewWorkday, { ...pageRequest, extra }),
  };
};

export const action = async ({ context, params, request }: Route.ActionArgs) => {
  const pageRequest = { context: context.get(requestContext), params, request };
  const done = await submit(pageRequest, {
    save: { operation: putTeamSettings, next: '/settings/team?saved=workday' },
    preview: { operation: previewWorkday, next: previewHref },
  });
  return done instanceof Response ? done : data(done.data, { status: done.status });
};

const previewHref = (form: FormData) =>
  `/settings/team?${new URLSearchParams(fields.map((name) => [name, String(form.get(name) ?? '')]))}`;

/** When the team works: what counts as after hours, and in which zone days and hours are reported. */
export default function TeamSettingsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { settings, examples, isPreview, isSaved } = loaderData;
  return (
    <Page
      title="Team workday"
      lead="Time zone for all dates and times, and working hours Monday to Friday."
      tabs={useSettingsTabs('Workday')}
    >
      {isSaved ? (
        <Notice tone="done">Saved. If the time zone changed, daily figures are recalculated in the background.</Notice>
      ) : null}
      <Panel title="Workday" result={settings}>
        {(saved) => <Workday saved={saved} loaderData={loaderData} rejected={actionData?.rejected ?? null} />}
      </Panel>
      <Panel title={isPreview ? 'How commits would count' : 'How commits count'} result={examples}>
        {(data) => <Examples data={data} isPreview={isPreview} />}
      </Panel>
      <Section title="Effect">
        <p className="prose">
          Commits before the start or after the end of the workday count as after hours, Monday to Friday. Saturday and
          Sunday count as weekend. Charts use this time zone.
        </p>
      </Section>
    </Page>
  );
}

type Props = Route.ComponentProps;
type Answer<T> = Extract<T, { ok: true }> extends { data: infer Data } ? Data : never;

interface WorkdayProps {
  saved: Answer<Props['loaderData']['settings']>;
  loaderData: Props['loaderData'];
  rejected: NonNullable<Props['actionData']>['rejected'];
}

function Workday({ saved, loaderData: { initial, rules }, rejected }: WorkdayProps) {
  const { csrf, mode } = usePageContext();
  if (mode === 'standalone' || !saved.db_available)
    return (
      <>
        <Facts
          facts={[
            { label: 'Time zone', value: saved.timezone },
            { label: 'Workday', value: `${hourText(saved.start)} to ${hourText(saved.end)}, Monday to Friday` },
          ]}
        />
        <SavedBy settings={saved} />
      </>
    );
  const typed = keptInput(rejected);
  // What was to be changed has changed since: the fields show that, and not what is previewed.
  const isOutdated = rejected !== null && typed === null;
  const field = (name: (typeof fields)[number]) =>
    submittedField(typed, name, (isOutdated ? null : initial[name]) ?? saved[name], rules);
  return (
    <>
      <Form
        csrf={csrf}
        submitted={rejected}
        submit="Save"
        primary
        label="Team workday"
        hidden={{ version: saved.version }}
        aside={
          <button type="submit" name="intent" value="preview">
            Preview
          </button>
        }
      >
        <TextField
          {...field('timezone')}
          label="Time zone"
          hint="A name such as Europe/Berlin or Asia/Saigon, not an offset."
          autoComplete="off"
        />
        <TextField {...field('start')} label="Workday start" type="number" unit="o’clock" />
        <TextField {...field('end')} label="Workday end" type="number" unit="o’clock" hint="24 is midnight." />
      </Form>
      <SavedBy settings={saved} />
    </>
  );
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

const labels = {
  workday: 'workday',
  after_hours: 'after hours',
  weekend: 'weekend',
};

function Examples({ data, isPreview }: { data: Answer<Props['loaderData']['examples']>; isPreview: boolean }) {
  return (
    <>
      {isPreview ? <Notice title="Not saved.">Preview of the values above.</Notice> : null}
      <Facts
        facts={data.examples.map(({ weekday, time, counts_as }) => ({
          label: `${weekdays[weekday]} ${time}`,
          value: labels[counts_as],
        }))}
      />
      <p className="source">Times in {data.timezone}.</p>
    </>
  );
}
