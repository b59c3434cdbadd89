import { count, figures } from '../../../server/domain/quantity.ts';
import { Badge } from '../../components/badge.tsx';
import { BarLinks } from '../../components/bar-links.tsx';
import { withChoices } from '../../components/choices.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { asGiven, orderSection } from '../../components/row-order.ts';
import { type Rule, severityStatus, sourceNames } from './labels.ts';

interface RulesProps {
  rules: readonly Rule[];
  search: string;
  /** All of them as a file. */
  csvHref: string;
}

/** The part of the page that they are. */
export const rulesSection = 'rules';

/** How many are shown at once. */
const maxBars = 6;

/** Advisories and rules that are open, the worst first: each leads to the repositories that it is open in. */
export function Rules({ rules, search, csvHref }: RulesProps) {
  const href = ({ value }: Rule) => withChoices(search, { rule: value });
  const shown = columns(href);
  const { rows, sorting, sortLabel } = orderSection(rules, shown, asGiven, { search, section: rulesSection });
  return (
    <>
      <BarLinks
        label="Repositories by advisory or rule"
        bars={rules.slice(0, maxBars).map((rule) => ({
          key: rule.value,
          name: `${rule.severity} · ${describeRule(rule)}`,
          value: rule.repos,
          href: href(rule),
          status: severityStatus[rule.severity],
        }))}
        format={figures}
      />
      {rules.length > maxBars ? (
        <details open={sortLabel !== undefined}>
          <summary>{`All ${count(rules.length, 'rule')}`}</summary>
          <DataTable
            caption={`Advisories and rules${sortLabel ? ` by ${sortLabel}` : ', the worst first'}`}
            captionHidden
            columns={shown}
            rows={rows}
            sorting={sorting}
            rowKey={({ value }) => value}
            csvHref={csvHref}
          />
        </details>
      ) : (
        <p className="source">
          <a href={csvHref}>CSV</a>
        </p>
      )}
    </>
  );
}

/** The package with what is wrong with it; of others what they say. */
export const describeRule = ({ source, subject, title }: Pick<Rule, 'source' | 'subject' | 'title'>): string =>
  source === 'dependabot' && subject !== null && subject !== title ? `${subject}: ${title}` : title;

const worstFirst = Object.keys(severityStatus);

const columns = (href: (rule: Rule) => string): Column<Rule>[] => [
  {
    key: 'rule',
    label: 'Rule',
    heading: true,
    sort: 'asc',
    sortLabel: 'name',
    value: describeRule,
    cell: (rule) => (
      <>
        <a href={href(rule)}>{describeRule(rule)}</a>
        <span className="sub muted">{rule.value}</span>
      </>
    ),
  },
  {
    key: 'severity',
    label: 'Severity',
    sort: 'asc',
    sortLabel: 'severity',
    value: ({ severity }) => worstFirst.indexOf(severity),
    cell: ({ severity }) => <Badge status={severityStatus[severity]}>{severity}</Badge>,
  },
  {
    key: 'source',
    label: 'About',
    sort: 'asc',
    sortLabel: 'source',
    value: ({ source }) => sourceNames[source],
  },
  {
    key: 'repos',
    label: 'Repositories',
    numeric: true,
    sort: 'desc',
    sortLabel: 'repositories',
    value: ({ repos }) => repos,
    unit: 'count',
  },
  {
    key: 'oldest',
    label: 'Oldest',
    numeric: true,
    sort: 'desc',
    sortLabel: 'age',
    value: ({ oldest_open_days: days }) => days,
    unit: 'days',
    reason: 'Findings in workflow files have no age.',
  },
];
