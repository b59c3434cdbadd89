import { count, figures } from '../../../../server/domain/quantity.ts';
import { Matrix } from '../../../charts/matrix.tsx';
import { FeatureGate } from '../../../components/feature-gate.tsx';
import { Empty } from '../../../components/notice.tsx';
import type { GetProfileHref } from '../../people/person-href.ts';
import type { TeamFigures } from './operations.ts';

interface Props {
  data: TeamFigures;
  getProfileHref: GetProfileHref;
}

/** Pairs of author and reviewer, and in words where reviews rest on few. */
export function Reviews({ data, getProfileHref }: Props) {
  const pairs = data.review_pairs.map((pair) => ({ ...pair, author: pair.author ?? unread }));
  if (pairs.length === 0) return <Empty cause="No reviews by others." />;
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
    <>
      <FeatureGate flag="reviewBottleneck" title="Review bottlenecks" feature={bottlenecks}>
        <Bottlenecks data={data} total={total} reviewers={reviewers.length} />
      </FeatureGate>
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
    </>
  );
}

const bottlenecks = { label: 'Review bottlenecks', shows: 'concentration risk in reviews' };

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

/** With fewer reviews or reviewers somebody always stands out. */
const minReviews = 10;
const minReviewers = 3;

function Bottlenecks({ data, total, reviewers }: { data: TeamFigures; total: number; reviewers: number }) {
  const { overloaded, sole_reviewer: sole } = data.review_load;
  const isEnough = total >= minReviews && reviewers >= minReviewers;
  const given = (login: string) => data.contributors.find((one) => one.login === login)?.reviews_given ?? 0;
  const sentences = [
    ...(isEnough ? overloaded.map((login) => `${login} gave ${given(login)} of ${figures(total)} reviews.`) : []),
    ...sole.map(
      ({ author, reviewer, count: some, reviewed }) =>
        `${reviewer} reviewed ${some} of ${count(reviewed, 'reviewed pull request')} of ${author}.`,
    ),
  ];
  return (
    <div className="prose">
      {sentences.length > 0 ? (
        <ul>
          {sentences.map((one) => (
            <li key={one}>{one}</li>
          ))}
        </ul>
      ) : (
        <p>
          {isEnough
            ? 'No concentration risk: nobody gave more than 40 % of reviews or twice the average, and no author depends on one reviewer.'
            : `${count(total, 'review')} by ${count(reviewers, 'person', 'people')} are too few to assess concentration risk.`}
        </p>
      )}
      {sentences.length > 0 ? (
        <p className="source">
          Flagged: gave more than 40 % of reviews or more than twice the average, or reviewed 80 % of an author’s pull
          requests (three or more). It shows where an absence would be felt.
        </p>
      ) : null}
    </div>
  );
}
