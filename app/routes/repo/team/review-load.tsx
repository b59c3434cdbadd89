import { count, figures } from '../../../../server/domain/quantity.ts';
import { BarLinks } from '../../../components/bar-links.tsx';
import { FeatureGate } from '../../../components/feature-gate.tsx';
import { Empty } from '../../../components/notice.tsx';
import type { GetProfileHref } from '../../people/person-href.ts';
import { noReviews } from './missing.ts';
import type { TeamFigures } from './operations.ts';

interface Props {
  data: TeamFigures;
  getProfileHref: GetProfileHref;
}

const bottlenecks = { label: 'Review bottlenecks', shows: 'concentration risk in reviews' };

/** How far reviews rest on few: in words, and who gave most of them, by name. */
export function ReviewLoad({ data, getProfileHref }: Props) {
  const total = data.review_pairs.reduce((sum, pair) => sum + pair.count, 0);
  if (total === 0) return <Empty cause={noReviews(data)} />;
  const reviewers = new Set(data.review_pairs.map(({ reviewer }) => reviewer)).size;
  return (
    <>
      <FeatureGate flag="reviewBottleneck" title="Review bottlenecks" feature={bottlenecks}>
        <Bottlenecks data={data} total={total} reviewers={reviewers} />
      </FeatureGate>
      <Reviewers data={data} total={total} getProfileHref={getProfileHref} />
    </>
  );
}

const maxReviewers = 5;

function Reviewers({ data, total, getProfileHref }: Props & { total: number }) {
  const most = data.contributors
    .filter(({ is_bot, reviews_given: given }) => !is_bot && (given ?? 0) > 0)
    .toSorted((one, other) => (other.reviews_given ?? 0) - (one.reviews_given ?? 0))
    .slice(0, maxReviewers)
    .toSorted((one, other) => (one.login.toLowerCase() < other.login.toLowerCase() ? -1 : 1));
  return (
    <>
      <BarLinks
        label="Reviews given, by name"
        bars={most.map(({ login, reviews_given: given }) => ({
          key: login,
          name: login,
          value: given ?? 0,
          href: getProfileHref(login),
          status: 'void',
        }))}
        format={(given) => `${figures(given)} of ${figures(total)}`}
      />
      <p className="source">Up to five people, by name.</p>
    </>
  );
}

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
        <details className="source">
          <summary>Why these</summary>
          <p>
            Flagged: gave more than 40 % of reviews or more than twice the average, or reviewed 80 % of an author’s pull
            requests (three or more). It shows where an absence would be felt.
          </p>
        </details>
      ) : null}
    </div>
  );
}
