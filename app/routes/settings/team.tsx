import { data } from 'react-router';
import { getTeamSettings, putTeamSettings } from '../../../server/api/settings.ts';
import { previewWorkday } from '../../../server/api/workday-preview.ts';
import { panel, submit } from '../../../server/http/doors.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { hourText } from '../../charts/zone-time.ts';
import { Facts } from '../../components/facts.tsx';
import { TextField } from '../../components/field.tsx';
import { errorOf, Form, keptValue } from '../../components/form.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { Panel, Section } from '../../components/panel.tsx';
import { useChrome } from '../chrome.ts';
import type { Route } from './+types/team';
import { SavedBy } from './saved-by.tsx';
import { useSettingsTabs } from './tabs.ts';

const fields = ['timezone', 'start', 'end'] as const;

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const asked = { context: context.get(requestContext), params };
  const query = asked.context.url.searchParams;
  const typed = Object.fromEntries(fields.map((name) => [name, query.get(name)]));
  const settings = await panel(getTeamSettings, asked);
  const saved = settings.ok ? settings.data : null;
  const extra = Object.fromEntries(fields.map((name) => [name, typed[name] ?? saved?.[name]?.toString()]));
  return {
    settings,
    typed,
    isPreview: query.has('timezone'),
    isSaved: query.get('saved') === 'workday',
    examples: await panel(previewWorkday, { ...asked, extra }),
  };
};

export const action = async ({ context, params, request }: Route.ActionArgs) => {
  const asked = { context: context.get(requestContext), params, request };
  const done = await submit(asked, {
    save: { operation: putTeamSettings, next: '/settings/team?saved=workday' },
    preview: { operation: previewWorkday, next: previewHref },
  });
  return done instanceof Response ? done : data(done.data, { status: done.status });
};

const previewHref = (form: FormData) =>
  `/settings/team?${new URLSearchParams(fields.map((name) => [name, String(form.get(name) ?? '')]))}`;

/** When the team works: what counts as after hours, and in which zone days and hours are told. */
export default function TeamSettingsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { now, zone } = useChrome();
  const { settings, examples, isPreview, isSaved } = loaderData;
  return (
    <Page
      title="Team workday"
      lead="In which zone days and hours are told everywhere, and which hours of Monday to Friday are the workday."
      tabs={useSettingsTabs('Team workday')}
    >
      {isSaved ? (
        <Notice tone="done">Saved. Daily figures are cut anew in the background where the zone changed.</Notice>
      ) : null}
      <Panel title="Workday" of={settings} now={now} zone={zone}>
        {(saved) => <Workday saved={saved} loaderData={loaderData} refused={actionData?.refused ?? null} />}
      </Panel>
      <Panel title={isPreview ? 'How commits would count' : 'How commits count'} of={examples} now={now} zone={zone}>
        {(of) => <Examples of={of} isPreview={isPreview} />}
      </Panel>
      <Section title="What it changes">
        <p className="prose">
          A commit counts as after hours from Monday to Friday before the start or from the end on. On Saturday and
          Sunday it counts as weekend work instead, at any hour. Charts cut days, weeks and hours in this zone.
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
  refused: NonNullable<Props['actionData']>['refused'];
}

function Workday({ saved, loaderData: { typed }, refused }: WorkdayProps) {
  const { csrf, mode } = useChrome();
  if (mode === 'standalone' || !saved.db_available)
    return (
      <>
        <Facts
          of={[
            { label: 'Time zone', value: saved.timezone },
            { label: 'Workday', value: `${hourText(saved.start)} to ${hourText(saved.end)}, Monday to Friday` },
          ]}
        />
        <SavedBy of={saved} />
      </>
    );
  const kept = (name: (typeof fields)[number]) => keptValue(refused, name, typed[name] ?? saved[name]);
  return (
    <>
      <Form
        csrf={csrf}
        submitted={refused}
        submit="Save"
        label="Team workday"
        aside={
          <button type="submit" name="intent" value="preview">
            Preview
          </button>
        }
      >
        <TextField
          name="timezone"
          label="Time zone"
          required
          value={kept('timezone')}
          error={errorOf(refused, 'timezone')}
          hint="A name such as Europe/Berlin or Asia/Saigon; offsets such as +07:00 are not names."
          autoComplete="off"
        />
        <TextField
          {...{ name: 'start', label: 'The workday starts at', type: 'number', min: 0, max: 23, required: true }}
          value={kept('start')}
          unit="o’clock"
          error={errorOf(refused, 'start')}
        />
        <TextField
          {...{ name: 'end', label: 'It ends at', type: 'number', min: 1, max: 24, required: true }}
          value={kept('end')}
          unit="o’clock"
          hint="24 is midnight."
          error={errorOf(refused, 'end')}
        />
      </Form>
      <SavedBy of={saved} />
    </>
  );
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

const words = {
  workday: 'falls into the workday',
  after_hours: 'counts as after hours',
  weekend: 'counts as weekend work',
};

function Examples({ of, isPreview }: { of: Answer<Props['loaderData']['examples']>; isPreview: boolean }) {
  return (
    <>
      {isPreview ? <Notice title="Not saved.">This is what the values above would mean.</Notice> : null}
      <ul>
        {of.examples.map(({ weekday, time, counts_as }) => (
          <li key={`${weekday} ${time}`}>
            A commit at {time} on {weekdays[weekday]} {words[counts_as]}.
          </li>
        ))}
      </ul>
      <p className="source">Times in {of.timezone}.</p>
    </>
  );
}
