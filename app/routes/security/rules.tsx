import { count, figures } from '../../../server/domain/quantity.ts';
import { Badge } from '../../components/badge.tsx';
import { BarLinks } from '../../components/bar-links.tsx';
import { withChoices } from '../../components/choices.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Measurement } from '../../components/measurement.tsx';
import { type Rule, severityStatus, sourceNames } from './labels.ts';

interface RulesProps {
  rules: readonly Rule[];
  search: string;
  /** All of them as a file. */
  csvHref: string;
}

/** How many are shown at once. */
const maxBars = 6;

/** Advisories and rules that are open, the worst first: each leads to the repositories that it is open in. */
export function Rules({ rules, search, csvHref }: RulesProps) {
  const href = ({ value }: Rule) => withChoices(search, { rule: value });
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
        <details>
          <summary>{`All ${count(rules.length, 'rule')}`}</summary>
          <DataTable
            caption="Advisories and rules, the worst first"
            captionHidden
            columns={columns(href)}
            rows={rules}
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

const columns = (href: (rule: Rule) => string): Column<Rule>[] => [
  {
    key: 'rule',
    label: 'Rule',
    heading: true,
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
    cell: ({ severity }) => <Badge status={severityStatus[severity]}>{severity}</Badge>,
  },
  { key: 'source', label: 'About', cell: ({ source }) => sourceNames[source] },
  { key: 'repos', label: 'Repositories', numeric: true, value: ({ repos }) => repos, unit: 'count' },
  {
    key: 'oldest',
    label: 'Oldest',
    numeric: true,
    cell: ({ oldest_open_days: value }) => (
      <Measurement value={{ value, unit: 'days', reason: 'Findings in workflow files have no age.' }} />
    ),
  },
];
