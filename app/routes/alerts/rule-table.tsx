import type { Unit } from '../../../server/domain/quantity.ts';
import { Spark } from '../../charts/spark.tsx';
import type { Status } from '../../components/badge.tsx';
import { Badge } from '../../components/badge.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Measurement } from '../../components/measurement.tsx';
import { DefinitionLink } from '../../components/metric-card.tsx';
import { Moment } from '../../components/moment.tsx';
import { usePageContext, useSearch } from '../../components/page-context.ts';
import { asGiven, orderSection } from '../../components/row-order.ts';
import { backTested } from './back-test.tsx';
import { getScopeName, isDigest, type Rule, ruleAnchor, ruleState, ruleTitle } from './labels.ts';
import { RuleDetails } from './rule-details.tsx';
import { RuleNotes } from './rule-notes.tsx';
import { conditionText } from './sentence.ts';

interface RuleTableProps {
  rules: readonly Rule[];
  /** Whether the caller may change rules. */
  mayChange: boolean;
  /** The rule that is shown with its forms below the table. */
  chosenId: number | null;
}

const byAttention: readonly Status[] = ['fail', 'warning', 'pass', 'void'];

/** All rules with how they stand, those that fire first. */
export function RuleTable({ rules, mayChange, chosenId }: RuleTableProps) {
  const { now, base } = usePageContext();
  const search = useSearch();
  const rank = (rule: Rule) => byAttention.indexOf(ruleState(rule, now).status);
  const columns: Column<Rule>[] = [
    {
      key: 'rule',
      label: 'Rule',
      heading: true,
      sort: 'asc',
      value: ruleTitle,
      cell: (rule) => <Name rule={rule} isChosen={rule.id === chosenId} mayChange={mayChange} />,
    },
    { key: 'condition', label: 'Fires at', cell: (rule) => conditionText(rule) },
    { key: 'value', label: 'Current value', numeric: true, cell: (rule) => <CurrentValue rule={rule} /> },
    { key: 'state', label: 'State', sort: 'asc', value: rank, cell: (rule) => <State rule={rule} /> },
    {
      key: 'days',
      label: '30 days',
      explain: 'Daily maximum (UTC)',
      cell: (rule) => <Days rule={rule} mayChange={mayChange} />,
    },
    {
      key: 'fired',
      label: 'Last fired',
      sort: 'desc',
      value: ({ last_fired_at: at }) => at,
      cell: ({ last_fired_at: at }) => (at === null ? 'Never' : <Moment at={at} />),
    },
  ];
  if (mayChange) columns.push({ key: 'actions', label: 'Actions', cell: (rule) => <EditLink rule={rule} /> });
  const firingFirst = rules.toSorted((one, other) => rank(one) - rank(other));
  const ordered = orderSection(firingFirst, columns, asGiven, { search, section: 'rules' });
  return (
    <DataTable
      caption="Alert rules"
      captionHidden
      rows={ordered.rows}
      sorting={ordered.sorting}
      rowKey={({ id }) => id}
      columns={columns}
      csvHref={base ? undefined : '/api/alerts?format=csv'}
    />
  );
}

/** The metric and where it is watched; what else there is to know is folded. */
function Name({ rule, isChosen, mayChange }: { rule: Rule; isChosen: boolean; mayChange: boolean }) {
  return (
    <>
      <span id={isChosen ? undefined : ruleAnchor(rule.id)}>{rule.label}</span>
      {isDigest(rule) ? null : <DefinitionLink metric={rule.metric} of={ruleTitle(rule)} />}
      <span className="sub muted">{getScopeName(rule.scope)}</span>
      <RuleNotes rule={rule} />
      <RuleDetails rule={rule} mayChange={mayChange} />
    </>
  );
}

/** Of an organization the value of its highest repository, which is the one that fires. */
function CurrentValue({ rule }: { rule: Rule }) {
  if (isDigest(rule)) return null;
  const { last_value: value, last_evaluated_at: at, unit, scope } = rule;
  const reason = at === null ? 'not evaluated yet' : (rule.incomplete ?? undefined);
  return (
    <>
      <Measurement value={{ value, unit: unit as Unit, sample: rule.last_sample, reason }} />
      {value !== null && scope.startsWith('org:') ? <span className="sub muted">highest repository</span> : null}
    </>
  );
}

function State({ rule }: { rule: Rule }) {
  const { now } = usePageContext();
  const { status, word, why } = ruleState(rule, now);
  const { muted_until: mutedUntil } = rule;
  return (
    <>
      <Badge status={status}>{word}</Badge>
      {why === undefined ? null : <span className="sub muted">{why}</span>}
      {mutedUntil !== null && Date.parse(mutedUntil) > now ? (
        <span className="sub muted">
          until <Moment at={mutedUntil} as="date-time" />
        </span>
      ) : null}
    </>
  );
}

/** How it went lately, and its back-test; how often the threshold was reached stands in the details. */
function Days({ rule, mayChange }: { rule: Rule; mayChange: boolean }) {
  const { base } = usePageContext();
  const { id, highest_by_day: values, threshold, unit } = rule;
  return (
    <>
      {values.every((value) => value === null) ? null : (
        <Spark values={values} unit={unit as Unit} limit={threshold} kind="bars" label="Daily maximum, last 30 days" />
      )}
      {(mayChange || base) && !isDigest(rule) ? (
        <a
          className="sub"
          href={`${base}/alerts?${backTested}=${id}#${backTested}`}
          aria-label={`Back-test: ${ruleTitle(rule)}`}
        >
          Back-test
        </a>
      ) : null}
    </>
  );
}

const EditLink = ({ rule }: { rule: Rule }) => (
  <a href={`/alerts?rule=${rule.id}#${ruleAnchor(rule.id)}`} aria-label={`Edit, mute or delete: ${ruleTitle(rule)}`}>
    Edit
  </a>
);
