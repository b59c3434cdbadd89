import { useLocation } from 'react-router';
import { count, refineRate } from '../../../../server/domain/quantity.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { Unknown } from '../../../components/measurement.tsx';
import { orderRows, orderSection } from '../../../components/row-order.ts';
import type { GetProfileHref } from '../../people/person-href.ts';
import { areReviewsUnread } from './missing.ts';
import { byName, nameColumn } from './name-column.tsx';
import type { TeamFigures, TeamScope } from './operations.ts';
import { minSample, ShareCell } from './share-cell.tsx';

type Person = TeamFigures['contributors'][number];

interface Props {
  data: TeamFigures;
  base: string;
  scope: TeamScope;
  getProfileHref: GetProfileHref;
}

/** Who merged or reviewed, by name unless sorted otherwise; bots in a table of their own. */
export function PeopleTables({ data, base, scope, getProfileHref }: Props) {
  const { search } = useLocation();
  const people = data.contributors.filter(({ is_bot }) => !is_bot);
  const bots = data.contributors.filter(({ is_bot }) => is_bot);
  const isUnread = areReviewsUnread(data);
  const shown = ({ key }: Column<Person>) =>
    (key !== 'opened' || scope.repo !== null) && !(isUnread && columnsOfReviews.has(key));
  const personColumns = columns(getProfileHref).filter(shown);
  const botColumns = columns(null).filter((column) => columnsOfBots.has(column.key) && shown(column));
  const { rows, sortLabel, sorting } = orderSection(people, personColumns, byName, { search, section: 'people' });
  const unread = data.prs_author_unread;
  const known = data.contributors.reduce((sum, { prs_merged }) => sum + prs_merged, unread);
  const deleted = data.prs_merged_total - known;
  return (
    <>
      <DataTable
        caption={`People who merged or reviewed, by ${sortLabel}`}
        columns={personColumns}
        rows={rows}
        rowKey={({ login }) => login}
        noun="people"
        sorting={sorting}
        csvHref={csvHref(base, scope, data.window_days)}
        empty={{ cause: describeNobody(unread, deleted) }}
      />
      {deleted > 0 ? (
        <p className="source">
          Beside them {count(deleted, 'pull request')} of deleted accounts {deleted === 1 ? 'was' : 'were'} merged.
        </p>
      ) : null}
      {unread > 0 ? <p className="source">{`Authors of ${mergedOnes(unread)} could not be loaded.`}</p> : null}
      {bots.length > 0 ? (
        <DataTable
          caption="Bots"
          columns={botColumns}
          rows={orderRows(bots, botColumns, byName, 'person')}
          rowKey={({ login }) => login}
          noun="bots"
        />
      ) : null}
    </>
  );
}

function describeNobody(unread: number, deleted: number): string {
  if (unread > 0) return `No people known: authors of ${mergedOnes(unread)} could not be loaded.`;
  return `Only bots${deleted > 0 ? ' and deleted accounts' : ''} merged in this period.`;
}

const mergedOnes = (pullRequests: number) => count(pullRequests, 'merged pull request');

function csvHref(base: string, { owner, repo, bots }: TeamScope, days: number | null): string {
  const query = new URLSearchParams(repo === null ? { org: owner } : { owner, repo });
  query.set('format', 'csv');
  if (days !== null) query.set('days', String(days));
  if (bots) query.set('bots', bots);
  return `${base}/api/codehost/${repo === null ? 'org' : 'repo'}-contributors?${query}`;
}

/** Not there where no review could be loaded, which is said of the review load. */
const columnsOfReviews: ReadonlySet<string> = new Set(['reviews', 'turnaround', 'first']);
const columnsOfBots: ReadonlySet<string> = new Set(['person', 'merged', 'opened', 'time', 'size']);
const noneMerged = 'no merged pull requests';

function columns(getHref: GetProfileHref | null): readonly Column<Person>[] {
  return [
    nameColumn(getHref),
    {
      key: 'merged',
      label: 'Merged',
      numeric: true,
      sort: 'desc',
      sortLabel: 'merged pull requests',
      value: ({ prs_merged }) => prs_merged,
    },
    {
      key: 'opened',
      label: 'Opened',
      numeric: true,
      sort: 'desc',
      sortLabel: 'opened pull requests',
      value: ({ prs_opened }) => prs_opened,
      cell: ({ prs_opened }) => prs_opened ?? <Unknown reason="Open pull requests could not be loaded." />,
    },
    {
      key: 'time',
      label: 'Time to merge',
      numeric: true,
      sort: 'desc',
      sortLabel: 'time to merge',
      value: ({ median_hours_to_merge }) => median_hours_to_merge,
      explain: 'Median time from creation to merge.',
      unit: 'hours',
      reason: noneMerged,
    },
    {
      key: 'size',
      label: 'Lines changed',
      numeric: true,
      sort: 'desc',
      sortLabel: 'size',
      value: ({ avg_pr_size }) => avg_pr_size,
      explain: 'Average lines added and removed per merged pull request.',
      unit: 'count',
      reason: noneMerged,
    },
    {
      key: 'reviews',
      label: 'Reviews given',
      numeric: true,
      sort: 'desc',
      sortLabel: 'reviews given',
      value: ({ reviews_given }) => reviews_given,
      explain: 'Merged pull requests of others that this person reviewed. Their own page also counts those not merged.',
      cell: ({ reviews_given }) => reviews_given ?? <Unknown reason="Some reviews could not be loaded." />,
    },
    {
      key: 'turnaround',
      label: 'Time to review',
      numeric: true,
      sort: 'desc',
      sortLabel: 'time to their review',
      value: ({ avg_review_turnaround_hours }) => avg_review_turnaround_hours,
      explain:
        'Average time to this person’s first review, from creation, ready for review or their request, whichever is last.',
      unit: 'hours',
      reason: 'no reviews',
    },
    {
      key: 'first',
      label: 'Approved at first review',
      numeric: true,
      sort: 'desc',
      sortLabel: 'approval at first review',
      value: ({ first_pass_approval_rate: rate, reviewed_prs: sample }) => ((sample ?? 0) < minSample ? null : rate),
      explain:
        'Of their merged pull requests reviewed before the merge, share whose first review was an approval; reviewed ones in brackets.',
      cell: ({ first_pass_approval_rate: value, first_pass_approved_prs: approved, reviewed_prs: sample }) => (
        <ShareCell value={refineRate(value, approved, sample)} sample={sample} reason="no reviewed pull requests" />
      ),
    },
    {
      key: 'self',
      label: 'Self-merged',
      numeric: true,
      sort: 'desc',
      sortLabel: 'own merges',
      value: ({ self_merge_count }) => self_merge_count,
      explain: 'Number of their merged pull requests that they merged themselves.',
    },
  ];
}
