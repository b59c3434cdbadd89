import { count, figures } from '../../../server/domain/quantity.ts';
import { StackedBars } from '../../charts/stacked-bars.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Moment } from '../../components/moment.tsx';
import { Empty } from '../../components/notice.tsx';
import { Columns, Section } from '../../components/panel.tsx';
import type { Profile } from './profile.ts';
import { OwnPullRequests, TitleCell } from './pull-request-table.tsx';

interface Shown {
  data: Profile;
  csvHref?: string;
}

/** What became of the person's pull requests, in which languages they work, and the newest of their work. */
export function Work(props: Shown) {
  const { data } = props;
  return (
    <>
      <Columns>
        <Section title="Own pull requests, 90 days">
          <Funnel data={data} />
        </Section>
        {data.is_bot ? null : (
          <Section title="Languages">
            <Languages data={data} />
          </Section>
        )}
      </Columns>
      <Section title="Newest pull requests">
        <OwnPullRequests {...props} />
      </Section>
      <Section title="Newest reviews">
        <RecentReviews {...props} />
      </Section>
    </>
  );
}

function Funnel({ data: { funnel } }: { data: Profile }) {
  if (funnel.opened === 0) return <Empty cause="No pull requests opened in 90 days." />;
  const rows = [
    ['opened', funnel.opened],
    ['reviewed by a person', funnel.reviewed],
    ['approved by a person', funnel.approved],
    ['merged', funnel.merged],
  ] as const;
  const { reviewed, approved } = funnel;
  const reviewText =
    reviewed === null || approved === null
      ? 'reviews could not be loaded'
      : `${figures(reviewed)} reviewed, ${figures(approved)} approved`;
  return (
    <StackedBars
      title="From opened to merged"
      summary={`Of ${count(funnel.opened, 'pull request')} opened in 90 days, ${reviewText} and ${figures(funnel.merged)} merged so far.`}
      rowLabel="Step"
      unit="count"
      parts={['pull requests']}
      rows={rows.map(([name, value]) => ({ name, values: [value] }))}
      note="Pull requests opened in the last 90 days. Merging does not always need an approval."
    />
  );
}

const Languages = ({ data: { languages } }: { data: Profile }) => (
  <DataTable
    caption="Main languages of the repositories, by commits of 52 weeks"
    rows={languages}
    rowKey={({ name }) => name}
    empty={{ cause: 'No commits in repositories with a known language in 52 weeks.' }}
    columns={[
      { key: 'name', label: 'Language', cell: ({ name }) => name },
      { key: 'count', label: 'Commits', numeric: true, cell: (row) => figures(row.count) },
    ]}
  />
);

type Review = Profile['recent_reviews'][number];

const verdicts: Record<Review['state'], string> = {
  approved: 'approved',
  changes_requested: 'changes requested',
  commented: 'commented',
};

function RecentReviews({ data: { recent_reviews: reviews, reviews_given: total } }: Shown) {
  // A long conversation is many reviews of one pull request: it gets one row.
  const rows = [...Map.groupBy(reviews, ({ repo_full_name: repo, pr_number: number }) => `${repo}#${number}`)].map(
    ([key, [newest, ...earlier]]) => ({ key, ...(newest as Review), earlier: earlier.length }),
  );
  const columns: Column<(typeof rows)[number]>[] = [
    {
      key: 'title',
      label: 'Pull request',
      cell: ({ pr_title: title, pr_number: number, ...rest }) => <TitleCell pullRequest={{ title, number, ...rest }} />,
    },
    {
      key: 'state',
      label: 'Latest review',
      cell: ({ state, earlier }) => `${verdicts[state]}${earlier ? `, after ${count(earlier, 'earlier review')}` : ''}`,
    },
    { key: 'at', label: 'When', cell: ({ submitted_at: at }) => <Moment at={at} /> },
  ];
  return (
    <DataTable
      caption="Latest reviews of others’ pull requests"
      captionHidden
      rows={rows}
      rowKey={({ key }) => key}
      total={total}
      noun="reviewed pull requests"
      empty={{ cause: 'No reviews of others’ pull requests in 90 days.' }}
      columns={columns}
    />
  );
}
