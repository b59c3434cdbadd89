import { count, figures, quantity, type Unit } from '../../../server/domain/quantity.ts';
import type { PanelsOf } from '../../../server/http/adapters.ts';
import type { getAuthorshipComparison } from '../../../server/reports/ai-authorship/operations.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Unknown } from '../../components/measurement.tsx';
import { Moment } from '../../components/moment.tsx';
import { Empty } from '../../components/notice.tsx';

type Answer = PanelsOf<{ comparison: typeof getAuthorshipComparison }>['comparison'];
export type Comparison = Extract<Answer, { ok: true }>['data'];
type Outcome = Comparison['outcomes'][number];

/** How marked pull requests fare beside those that are like them. */
export function AuthorshipComparison({ data, csvHref }: { data: Comparison; csvHref: string }) {
  if (data.outcomes.length === 0)
    return (
      <Empty
        cause={
          data.computing
            ? 'Being computed. Load the page again in a minute.'
            : 'Hidden: too few pull requests or people with and without a mark.'
        }
      />
    );
  return (
    <>
      <p className="prose">
        Each marked pull request is compared with up to three without a mark of the same repository, month and kind of
        work, and of about the same size
        {data.class === 'ai_assisted' ? ', by authors of similar experience there' : ''}. {data.note}
      </p>
      <DataTable
        caption="Marked and comparable pull requests"
        captionHidden
        columns={columns}
        rows={data.outcomes}
        rowKey={({ key }) => key}
        noun="outcomes"
        csvHref={csvHref}
      />
      <p className="source">
        {data.as_of ? (
          <>
            Computed <Moment at={data.as_of} />, and anew every week.
          </>
        ) : null}
        {data.computing ? ' A new one is being computed.' : ''}
      </p>
      <WhyCautious data={data} />
    </>
  );
}

const hidden = 'Hidden, or not known.';

const columns: readonly Column<Outcome>[] = [
  { key: 'label', label: 'Outcome', value: ({ label }) => label, heading: true },
  { key: 'marked', label: 'Marked', cell: (one) => <Value side={one.marked} unit={one.unit} />, numeric: true },
  {
    key: 'comparable',
    label: 'Comparable',
    cell: (one) => <Value side={one.comparable} unit={one.unit} />,
    numeric: true,
  },
  {
    key: 'effect',
    label: 'Difference',
    cell: ({ effect, effect_unit }) =>
      effect === null ? <Unknown reason={hidden} /> : <span className="figure">{toEffect(effect, effect_unit)}</span>,
    numeric: true,
  },
  {
    key: 'interval',
    label: '95 % interval',
    cell: ({ interval, effect_unit }) =>
      interval === null ? (
        <Unknown reason={hidden} />
      ) : (
        <span className="figure">{`${toEffect(interval.low, effect_unit)} to ${toEffect(interval.high, effect_unit)}`}</span>
      ),
    numeric: true,
  },
  { key: 'verdict', label: 'Result', cell: (one) => verdictOf(one), wide: true },
];

function Value({ side: { value, prs }, unit }: { side: Outcome['marked']; unit: Outcome['unit'] }) {
  if (value === null || prs === null) return <Unknown reason={hidden} />;
  return (
    <span className="figure">
      {toValue(value, unit)} <span className="muted">of {figures(prs)}</span>
    </span>
  );
}

const toValue = (value: number, unit: Outcome['unit']): string =>
  unit === 'rounds' ? figures(value, 2) : quantity(value, unit satisfies Unit);

const toEffect = (value: number, unit: Outcome['effect_unit']): string =>
  `${value > 0 ? '+' : ''}${unit === 'rounds' ? `${figures(value, 2)} rounds` : quantity(value, unit)}`;

const verdicts: Readonly<Record<Outcome['verdict'], string>> = {
  higher: 'Higher',
  lower: 'Lower',
  no_relevant_difference: 'No relevant difference',
  no_difference_shown: 'No difference shown',
  not_comparable: 'Not comparable',
};

const reasonTexts: Readonly<Record<Outcome['reasons'][number], string>> = {
  few_sets: 'fewer than 30 matched',
  few_clusters: 'fewer than 10 weeks of repositories',
  few_repositories: 'fewer than 3 repositories, and none with 60 matched',
  low_matched_share: 'fewer than a quarter of marked ones find a match',
  not_balanced: 'both sides still differ in size, weekday or open pull requests',
  not_significant: 'may be chance',
  below_least_effect: 'too small to matter',
  methods_disagree: 'other methods say otherwise',
  differs_between_repositories: 'differs between repositories',
  placebo_failed: 'marks dealt at random show differences as well',
  context_differs: 'both sides met other circumstances',
  context_not_known: 'the circumstances of both sides are not known',
  not_known: 'not stored',
  hidden: 'too few pull requests or people',
};

/** The word, with what speaks against more. */
function verdictOf({ verdict, reasons, e_value }: Outcome): string {
  if (verdict === 'no_relevant_difference') return verdicts[verdict];
  const why = reasons.map((reason) => reasonTexts[reason]).join('; ');
  const hiddenCause =
    e_value === null
      ? ''
      : `. A hidden difference would have to be ${figures(e_value)} times as common among marked pull requests, and change the outcome as much, to explain this away`;
  return `${verdicts[verdict]}${why ? `: ${why}` : ''}${hiddenCause}`;
}

const classNames: Readonly<Record<Comparison['raw'][number]['class'], string>> = {
  agent_authored: 'Agent-authored',
  ai_assisted: 'AI-assisted',
  unmarked: 'No mark',
};

/** What a difference has to withstand before it is told, and how the sides differ without matching. */
function WhyCautious({ data }: { data: Comparison }) {
  const { balance, placebo, excluded } = data;
  const known = new Map(data.outcomes.map((one) => [one.key, one]));
  const raw = data.raw.filter(({ value }) => value !== null);
  return (
    <details>
      <summary>Why so cautious</summary>
      <ul className="prose">
        <li>
          Plain averages of both sides differ by where agents are used, not by what they do. A difference is claimed
          only where matched pull requests, three methods and two placebos agree on it.
        </li>
        {data.matched_share_pct === null ? null : (
          <li>{quantity(data.matched_share_pct, 'percent')} of marked pull requests found one that is like them.</li>
        )}
        {placebo.p1_claims_pct === null ? null : (
          <li>
            Where marks are dealt at random, {quantity(placebo.p1_claims_pct, 'percent')} of 200 repeats claim a
            difference; beyond 2 % nothing is claimed.
          </li>
        )}
        <li>{contextTexts[placebo.p2]}</li>
        <li>
          Small samples show little: in simulated organizations, 15 points fewer merges were found in one of six with
          some 180 matched pull requests, in half of those with 420, and in most with 1,000. No difference shown does
          not mean that there is none.
        </li>
        {data.class === 'agent_authored' ? <li>The experience of authors cannot be matched for agents.</li> : null}
        {excluded.map(({ reason, prs }) => (
          <li key={reason}>
            {exclusionTexts[reason]}: {prs === null ? 'fewer than 10' : count(prs, 'pull request')} not compared.
          </li>
        ))}
      </ul>
      <DataTable
        caption="Differences of both sides, in standard deviations; at most 0.1 is even"
        columns={[
          { key: 'covariate', label: 'Of', value: ({ covariate }) => covariate, heading: true },
          { key: 'before', label: 'Before matching', cell: ({ before }) => deviation(before), numeric: true },
          { key: 'after', label: 'After matching', cell: ({ after }) => deviation(after), numeric: true },
          { key: 'ok', label: 'Even', value: ({ ok }) => (ok ? 'yes' : 'no') },
        ]}
        rows={balance}
        rowKey={({ covariate }) => covariate}
        noun="differences"
      />
      <DataTable
        caption="All pull requests. Not comparable: groups differ in repository, size and kind of work"
        columns={[
          { key: 'key', label: 'Outcome', value: ({ key }) => known.get(key)?.label ?? key, heading: true },
          { key: 'class', label: 'Class', value: ({ class: own }) => classNames[own] },
          {
            key: 'value',
            label: 'Average',
            cell: (one) => <Value side={one} unit={known.get(one.key)?.unit ?? 'rounds'} />,
            numeric: true,
          },
        ]}
        rows={raw}
        rowKey={({ class: own, key }) => `${own} ${key}`}
        noun="averages"
      />
    </details>
  );
}

const deviation = (value: number | null) =>
  value === null ? <Unknown reason="One side has no pull requests." /> : figures(value, 2);

const contextTexts: Readonly<Record<Comparison['placebo']['p2'], string>> = {
  pass: 'Pull requests opened before the marked ones waited as long for a review as those opened before the others.',
  fail: 'Pull requests opened before the marked ones waited for a review otherwise than those opened before the others: both sides met other circumstances, and nothing is claimed.',
  not_run: 'Whether both sides met the same circumstances could not be looked at.',
};

const exclusionTexts: Readonly<Record<Comparison['excluded'][number]['reason'], string>> = {
  automation: 'Automation',
  unread: 'Not read for marks',
  other_class: 'Another class or agent',
  not_stored: 'Not stored, or of a time of which not all are',
  other_base: 'Not into the default branch',
  draft: 'Drafts',
  too_recent: 'Too recent',
  over_limit: 'Beyond the newest 10,000',
};
