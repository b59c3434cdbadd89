import { count, figures } from '../../../../server/domain/quantity.ts';
import { Matrix } from '../../../charts/matrix.tsx';
import { Empty } from '../../../components/notice.tsx';
import type { GetProfileHref } from '../../people/person-href.ts';
import { noReviews } from './missing.ts';
import type { TeamFigures } from './operations.ts';

interface Props {
  data: TeamFigures;
  getProfileHref: GetProfileHref;
}

/** Pairs of author and reviewer. */
export function Reviews({ data, getProfileHref }: Props) {
  const pairs = data.review_pairs.map((pair) => ({ ...pair, author: pair.author ?? unread }));
  if (pairs.length === 0) return <Empty cause={noReviews(data)} />;
  const authors = mostFirst(pairs, 'author');
  const reviewers = mostFirst(pairs, 'reviewer');
  const [rows, columns] = [authors.slice(0, maxNames).sort(byName), reviewers.slice(0, maxNames).sort(byName)];
  const isTruncated = authors.length > maxNames || reviewers.length > maxNames;
  const total = pairs.reduce((sum, pair) => sum + pair.count, 0);
  const bots = new Set(data.contributors.filter(({ is_bot }) => is_bot).map(({ login }) => login));
  const notes = [
    isTruncated ? `Top ${maxNames} names; totals cover the names shown.` : '',
    rows.includes(ghost) ? `${ghost}: deleted accounts.` : '',
    rows.includes(unread) ? 'Some authors could not be loaded.' : '',
  ].filter(Boolean);
  const isPerson = (name: string) => name !== ghost && name !== unread && !bots.has(name);
  return (
    <Matrix
      title="Reviewed pull requests"
      summary={`${count(reviewers.length, 'person', 'people')} reviewed pull requests of ${count(authors.length, 'author')}. Each pull request counts once per reviewer.`}
      sample={`n = ${figures(total)}`}
      note={notes.join(' ') || undefined}
      rowLabel="Author"
      columnLabel="Reviewer"
      rows={rows}
      columns={columns}
      cells={pairs.map(({ author, reviewer, count: some }) => ({ row: author, column: reviewer, count: some }))}
      selfReason="Self-reviews do not count"
      getHref={(name) => (isPerson(name) ? getProfileHref(name) : undefined)}
    />
  );
}

const maxNames = 30;
const ghost = 'ghost';
/** No login has a space. */
const unread = 'not loaded';

function mostFirst(
  pairs: { author: string; reviewer: string; count: number }[],
  side: 'author' | 'reviewer',
): string[] {
  const sums = new Map<string, number>();
  for (const pair of pairs) sums.set(pair[side], (sums.get(pair[side]) ?? 0) + pair.count);
  return [...sums].sort(([one, a], [other, b]) => b - a || byName(one, other)).map(([name]) => name);
}

const byName = (one: string, other: string) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1);
