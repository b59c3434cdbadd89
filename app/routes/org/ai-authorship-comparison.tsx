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

const failedText = 'It could not be computed, and is tried again after an hour.';

/** null where it was. */
export function whyNotComputed({ computing, failed }: Pick<Comparison, 'computing' | 'failed'>): string | null {
  if (computing) return 'Being computed. Load the page again in a minute.';
  return failed ? failedText : null;
}

function whyNone({ repository_months, ...progress }: Comparison): string {
  const notComputed = whyNotComputed(progress);
  if (notComputed !== null) return notComputed;
  return repository_months.left_out === 0
    ? 'No pull requests with and without a mark to compare.'
    : 'Nothing to compare yet: a repository counts in a month that ended a month ago, with ten pull requests of five people with and without a mark.';
}

/** How marked pull requests fare beside those that are like them. */
export function AuthorshipComparison({ data, csvHref }: { data: Comparison; csvHref: string }) {
  if (data.outcomes.length === 0) return <Empty cause={whyNone(data)} />;
  return (
    <>
      <p className="prose">
        Each marked pull request is compared with up to three without a mark of the same repository, month and kind of
        work, and of about the same size
        {data.class === 'ai_assisted' ? ', by authors of similar experience there' : ''}. {data.note}
      </p>
      <Compared data={data} />
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
        {data.failed ? ` A new one is due. ${failedText}` : ''}
      </p>
    </>
  );
}

/** What of the window is compared, since small parts are left out as a whole. */
function Compared({ data: { compared_to, repository_months, window } }: { data: Comparison }) {
  const { compared, left_out } = repository_months;
  return (
    <p className="source">
      {count(compared, 'repository month')} compared
      {left_out > 0 ? `, ${figures(left_out)} excluded: too few pull requests or people, or not all known` : ''}.
      {compared_to !== null && compared_to < window.to
        ? ` Months after ${compared_to} follow once their pull requests were followed for 30 days.`
        : ''}
    </p>
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

/** The value of one side, with how many it is of. */
export function Value({ side: { value, prs }, unit }: { side: Outcome['marked']; unit: Outcome['unit'] }) {
  if (value === null) return <Unknown reason={hidden} />;
  return (
    <span className="figure">
      {toValue(value, unit)} {prs === null ? null : <span className="muted">of {figures(prs)}</span>}
    </span>
  );
}

const toValue = (value: number, unit: Outcome['unit']): string =>
  unit === 'rounds' ? figures(value, 2) : quantity(value, unit satisfies Unit);

export const toEffect = (value: number, unit: Outcome['effect_unit']): string =>
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
  in_one_repository: 'in one repository',
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
  const isEqual = verdict === 'no_relevant_difference';
  const shown = isEqual ? reasons.filter((reason) => reason === 'in_one_repository') : reasons;
  const why = shown.map((reason) => reasonTexts[reason]).join('; ');
  const hiddenCause =
    e_value === null
      ? ''
      : `. A hidden difference would have to be ${figures(e_value)} times as common among marked pull requests, and change the outcome as much, to explain this away`;
  return `${verdicts[verdict]}${why ? `: ${why}` : ''}${hiddenCause}`;
}
