import { useLocation } from 'react-router';
import { count, figures, refineRate } from '../../../../server/domain/quantity.ts';
import { dateText } from '../../../charts/zone-time.ts';
import { Badge } from '../../../components/badge.tsx';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { Measurement, Unknown } from '../../../components/measurement.tsx';
import { orderSection } from '../../../components/row-order.ts';
import type { GetProfileHref } from '../../people/person-href.ts';
import { byName } from './name-column.tsx';
import type { Workload } from './workload.tsx';

type Person = Workload['people'][number];

interface Props {
  data: Workload;
  base: string;
  repository: string;
  getProfileHref: GetProfileHref;
}

/** People by name; bots are reported beside them, without anything that is pointed out. */
export function WorkloadTable({ data, base, repository, getProfileHref }: Props) {
  const { search } = useLocation();
  const [owner = '', repo = ''] = repository.split('/');
  const humans = data.people.filter((person) => !person.is_bot);
  const shown = columns(data, getProfileHref);
  const { rows, sortLabel, sorting } = orderSection(humans, shown, byName, { search, section: 'workload' });
  const bots = data.people.filter((person) => person.is_bot);
  const query = new URLSearchParams({ owner, repo, format: 'csv' });
  if (data.window_days !== 42) query.set('days', String(data.window_days));
  return (
    <>
      <DataTable
        caption={`People, by ${sortLabel}`}
        columns={shown}
        rows={rows}
        rowKey={({ login, unlinked_name }) => `${login} ${unlinked_name}`}
        noun="people"
        sorting={sorting}
        csvHref={`${base}/api/codehost/team-workload-risk?${query}`}
        empty={{ cause: 'Only bots committed in this period.' }}
      />
      {bots.length > 0 ? <p className="source">Bots: {bots.map(describeBot).join('; ')}.</p> : null}
    </>
  );
}

const describeBot = ({ login, total_commits, open_pr_count }: Person) =>
  `${login}${total_commits === null ? '' : `, ${count(total_commits, 'commit')}`}${open_pr_count ? `, ${count(open_pr_count, 'open pull request')}` : ''}`;

const columns = (data: Workload, getProfileHref: GetProfileHref): readonly Column<Person>[] => [
  {
    key: 'person',
    label: 'Person',
    heading: true,
    sort: 'asc',
    sortLabel: 'name',
    value: ({ login }) => login.toLowerCase(),
    cell: (person) => <Name person={person} href={getProfileHref(person.login)} />,
  },
  {
    key: 'commits',
    label: `Commits (last ${data.thresholds.cliff_recent_days} days)`,
    numeric: true,
    sort: 'desc',
    sortLabel: 'commits',
    value: ({ total_commits }) => total_commits,
    cell: ({ total_commits, recent_period_commits }) =>
      total_commits === null || recent_period_commits === null ? (
        <Unknown reason={unreadCommits} />
      ) : (
        <>
          {figures(total_commits)} <span className="muted">({figures(recent_period_commits)})</span>
        </>
      ),
  },
  {
    key: 'hours',
    label: 'After hours',
    numeric: true,
    sort: 'desc',
    sortLabel: 'share after hours',
    value: ({ after_hours_pct, sample_ok }) => (sample_ok ? after_hours_pct : null),
    cell: (person) => (
      <Share
        person={person}
        value={person.after_hours_pct}
        part={person.after_hours_commits}
        least={data.thresholds.min_commits}
      />
    ),
  },
  {
    key: 'weekend',
    label: 'On weekends',
    numeric: true,
    sort: 'desc',
    sortLabel: 'share on weekends',
    value: ({ weekend_pct, sample_ok }) => (sample_ok ? weekend_pct : null),
    cell: (person) => (
      <Share
        person={person}
        value={person.weekend_pct}
        part={person.weekend_commits}
        least={data.thresholds.min_commits}
      />
    ),
  },
  {
    key: 'open',
    label: 'Open pull requests',
    numeric: true,
    sort: 'desc',
    sortLabel: 'open pull requests',
    value: ({ open_pr_count }) => open_pr_count,
    cell: ({ open_pr_count, open_draft_count }) =>
      open_pr_count === null ? (
        <Unknown reason="Not all loaded." />
      ) : (
        <>
          {figures(open_pr_count)}
          {open_draft_count ? <span className="muted"> ({count(open_draft_count, 'draft')})</span> : null}
        </>
      ),
  },
  {
    key: 'talk',
    label: 'Conversation starters',
    cell: (person) => <ToTalkAbout person={person} data={data} />,
  },
];

const unreadCommits = 'Not every commit could be read.';

function Name({ person: { login, linked_logins, unlinked_name }, href }: { person: Person; href: string | undefined }) {
  if (unlinked_name)
    return (
      <>
        {login} <span className="muted">no account</span>
      </>
    );
  return (
    <>
      <a href={href}>{login}</a>
      {linked_logins.length > 0 ? <span className="muted"> also {linked_logins.join(', ')}</span> : null}
    </>
  );
}

interface ShareProps {
  person: Person;
  value: number | null;
  /** The commits that the share is of; null where they could not be read. */
  part: number | null;
  least: number;
}

function Share({ person, value, part, least: minimum }: ShareProps) {
  const reason =
    person.total_commits === null
      ? unreadCommits
      : person.total_commits === 0
        ? 'no commits in this period'
        : `sample too small (fewer than ${minimum} commits)`;
  const rate =
    person.sample_ok && part !== null && person.total_commits !== null
      ? refineRate(value, part, person.total_commits)
      : null;
  return <Measurement value={{ value: rate, unit: 'percent', reason }} />;
}

function ToTalkAbout({ person, data }: { person: Person; data: Workload }) {
  const { flags, last_commit_at: last, open_pr_count: open, open_draft_count: drafts } = person;
  const atOnce = open === null || drafts === null ? `at least ${data.thresholds.concurrent_prs}` : open - drafts;
  const points = [
    flags.after_hours ? 'many commits after hours' : '',
    flags.weekend ? 'many commits on weekends' : '',
    flags.concurrent_pr_overload ? `${atOnce} pull requests open at once` : '',
    flags.activity_cliff && last
      ? `no commits on the default branch since ${dateText(last, data.workday.timezone)}`
      : '',
  ].filter(Boolean);
  if (points.length === 0) return <span className="muted">–</span>;
  return points.map((point) => (
    <div key={point}>
      <Badge status="warning">{point}</Badge>
    </div>
  ));
}
