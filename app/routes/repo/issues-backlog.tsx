import { figures } from '../../../server/domain/quantity.ts';
import { Link, useIsShared } from '../../charts/link.tsx';
import { StackedBars } from '../../charts/stacked-bars.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Measurement } from '../../components/measurement.tsx';
import { Empty } from '../../components/notice.tsx';
import { Columns, Section } from '../../components/panel.tsx';
import { useProfileHref } from '../people/person-href.ts';
import { IssueLink, type Issues } from './issues-cards.tsx';

interface Props {
  data: Issues;
  base: string;
  owner: string;
  repo: string;
}

/** Ages, the issues that wait for a first answer, labels and, but for a share link, who has what. */
export function Backlog({ data, base, owner, repo }: Props) {
  const isShared = useIsShared();
  if (data.open_count === 0)
    return (
      <Section title="Open issues">
        <Empty cause="No open issues." />
      </Section>
    );
  return (
    <>
      <Section title="Open issues">
        <StackedBars
          title="Age of open issues"
          summary={`${figures(data.age_buckets.at(-1)?.count ?? 0)} of ${figures(data.open_count)} older than three months.`}
          rowLabel="Age"
          unit="count"
          parts={['open issues']}
          rows={data.age_buckets.map(({ label, count: some }) => ({ name: label, values: [some] }))}
        />
      </Section>
      <Unanswered data={data} base={base} owner={owner} repo={repo} />
      <Columns>
        <Labels data={data} />
        {isShared ? null : <Assignees data={data} owner={owner} />}
      </Columns>
    </>
  );
}

function Unanswered({ data, base, owner, repo }: Props) {
  const csv = new URLSearchParams({ owner, repo, days: String(data.period_days), format: 'csv' });
  return (
    <Section title="Awaiting first response">
      <DataTable
        caption="Open for two weeks without a comment, oldest first"
        rows={data.neglected}
        rowKey={({ number }) => number}
        total={data.unanswered_count}
        noun="unanswered issues"
        csvHref={`${base}/api/codehost/issues?${csv}`}
        empty={{ cause: describeNone(data) }}
        columns={[
          { key: 'issue', label: 'Issue', cell: (issue) => <IssueLink issue={issue} /> },
          {
            key: 'age',
            label: 'Age',
            numeric: true,
            cell: ({ age_days: value }) => <Measurement value={{ value, unit: 'days' }} />,
          },
        ]}
      />
    </Section>
  );
}

/** The list is of the issues that were loaded, the count where it is exact of all of them. */
function describeNone({ exact, unanswered_count: unanswered }: Issues): string {
  if (unanswered === null) return 'Not all comments could be loaded.';
  const isNone = exact.includes('neglected') || (exact.includes('unanswered_count') && unanswered === 0);
  return isNone
    ? 'Every issue older than two weeks has a comment.'
    : 'Not all open issues could be loaded; none of those loaded is unanswered.';
}

function Labels({ data }: { data: Issues }) {
  const isExact = data.exact.includes('top_labels');
  return (
    <Section title="Labels">
      <DataTable
        caption={`Most used labels of open issues${isExact ? '' : ' (partial data)'}`}
        rows={data.top_labels ?? []}
        rowKey={({ label }) => label}
        empty={{
          cause: data.top_labels === null ? 'Not all labels could be loaded.' : 'No open issues with labels.',
        }}
        columns={[
          {
            key: 'label',
            label: 'Label',
            cell: ({ label, color }) => (
              <>
                <Dot color={color} /> {label}
              </>
            ),
          },
          { key: 'count', label: 'Open issues', numeric: true, cell: ({ count: some }) => figures(some) },
        ]}
      />
    </Section>
  );
}

/** The platform's colour as a dot alone, so that the words keep their contrast. */
function Dot({ color }: { color: string }) {
  const known = /^[0-9a-f]{6}$/i.test(color);
  return (
    <svg className="swatch" width="12" height="12" aria-hidden="true">
      <circle cx="6" cy="6" r="5" fill={known ? `#${color}` : 'none'} stroke="currentColor" strokeOpacity="0.4" />
    </svg>
  );
}

function Assignees({ data, owner }: Pick<Props, 'data' | 'owner'>) {
  const getProfileHref = useProfileHref(owner);
  const load = data.assignee_load ?? [];
  const byName = load.toSorted((a, b) => a.login.localeCompare(b.login, 'en'));
  const isExact = data.exact.includes('assignee_load');
  return (
    <Section title="Assignees">
      <DataTable
        caption={`Open issues${isExact ? '' : ' (partial data)'} by assignee, by name; issues with two assignees count for both`}
        rows={byName}
        rowKey={({ login }) => login}
        empty={{
          cause: data.assignee_load === null ? 'Not all assignees could be loaded.' : 'No open issues with assignees.',
        }}
        columns={[
          {
            key: 'login',
            label: 'Assignee',
            cell: ({ login }) => <Link href={getProfileHref(login)}>{login}</Link>,
          },
          { key: 'open', label: 'Open issues', numeric: true, cell: ({ open }) => figures(open) },
        ]}
      />
      {load.length === maxAssignees ? (
        <p className="source">Showing the {maxAssignees} assignees with most open issues.</p>
      ) : null}
    </Section>
  );
}

const maxAssignees = 6;
