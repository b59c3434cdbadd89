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
  const given = countGiven(data);
  const total = [...given.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0) return <Empty cause={noReviews(data)} />;
  return (
    <>
      <FeatureGate flag="reviewBottleneck" title="Review bottlenecks" feature={bottlenecks}>
        <Bottlenecks data={data} total={total} given={given} />
      </FeatureGate>
      <Reviewers given={given} total={total} getProfileHref={getProfileHref} />
    </>
  );
}

/** Reviewed pull requests by reviewer, also where those of some could not be read. */
function countGiven({ review_pairs: pairs }: TeamFigures): ReadonlyMap<string, number> {
  const given = new Map<string, number>();
  for (const { reviewer, count } of pairs) given.set(reviewer, (given.get(reviewer) ?? 0) + count);
  return given;
}

interface Given {
  given: ReadonlyMap<string, number>;
  total: number;
}

const maxReviewers = 5;

function Reviewers({ given, total, getProfileHref }: Given & Pick<Props, 'getProfileHref'>) {
  const most = [...given]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, maxReviewers)
    .toSorted(([one], [other]) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1));
  return (
    <>
      <BarLinks
        label="Reviews given, by name"
        bars={most.map(([login, value]) => ({
          key: login,
          name: login,
          value,
          href: getProfileHref(login),
          status: 'void',
        }))}
        format={(value) => `${figures(value)} of ${figures(total)}`}
      />
      <p className="source">Up to five people, by name.</p>
    </>
  );
}

/** With fewer reviews or reviewers somebody always stands out. */
const minReviews = 10;
const minReviewers = 3;

const isEnoughToAssess = ({ total, given }: Given) => total >= minReviews && given.size >= minReviewers;

function Bottlenecks({ data, total, given }: Given & { data: TeamFigures }) {
  const { overloaded, sole_reviewer: sole } = data.review_load;
  const isEnough = isEnoughToAssess({ total, given });
  const reviews = isAnyReviewUnread(data) ? 'reviews that could be loaded' : 'reviews';
  const sentences = [
    ...(isEnough
      ? overloaded.map((login) => `${login} gave ${figures(given.get(login) ?? 0)} of ${figures(total)} ${reviews}.`)
      : []),
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
        <p>{describeNoRisk(data, { total, given })}</p>
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

function describeNoRisk(data: TeamFigures, { total, given }: Given): string {
  if (isAnyReviewUnread(data)) return 'Concentration risk is not known: some reviews could not be loaded.';
  return isEnoughToAssess({ total, given })
    ? 'No concentration risk: nobody gave more than 40 % of reviews or twice the average, and no author depends on one reviewer.'
    : `${count(total, 'review')} by ${count(given.size, 'person', 'people')} are too few to assess concentration risk.`;
}

/** Whether more reviews may have been given than are known. */
const isAnyReviewUnread = ({ contributors }: TeamFigures): boolean =>
  contributors.some(({ reviews_given: given }) => given === null);
