import { count, figures, formatFewer } from '../../../../server/domain/quantity.ts';
import type { PanelsOf } from '../../../../server/http/adapters.ts';
import type { getResults, getVerdict } from '../../../../server/reports/advisor-results/operations.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { Facts } from '../../../components/facts.tsx';
import { Moment } from '../../../components/moment.tsx';
import { usePageContext } from '../../../components/page-context.ts';
import { Section } from '../../../components/panel.tsx';
import { SharedParamsLink } from '../../../components/shared-params.tsx';
import { explainHref } from '../../links.ts';

type Data = Extract<PanelsOf<{ verdict: typeof getVerdict }>['verdict'], { ok: true }>['data'];
type Verdict = Data['verdict'];
type Look = Verdict['looks'][number];
type Week = Verdict['weeks'][number];
type Stratum = Verdict['strata'][number];

/** What came of the change since its pull request was merged. */
export function Result({ data: { verdict, runs, truncated } }: { data: Data }) {
  const { base } = usePageContext();
  const { owner, repo, id, merged_at: mergedAt, before, after, looks, weeks, strata } = verdict;
  const csvQuery = new URLSearchParams({ owner, repo, id, format: 'csv' });
  const evidenceHref = explainHref(base, { metric: 'advisor_reduction', owner, repo, id });
  const per = verdict.unit_label ?? 'units';
  return (
    <Section title="Result">
      <p>
        <strong>{verdict.sentence}</strong>
      </p>
      <Facts
        facts={[
          { label: 'Changed by', value: <AppliedBy {...verdict} /> },
          { label: 'Merged', value: <Moment at={mergedAt} as="date" /> },
          ...(before ? [{ label: 'Before', value: formatSide(before, per) }] : []),
          ...(after ? [{ label: 'After', value: formatSide(after, per) }] : []),
          ...(verdict.measured === null
            ? []
            : [
                {
                  label: 'Measured',
                  value: <SharedParamsLink href={evidenceHref}>{formatFewer(verdict.measured.mid)}</SharedParamsLink>,
                },
              ]),
        ]}
      />
      {looks.length > 0 ? (
        <DataTable
          caption="Measurements"
          columns={lookColumns(per)}
          rows={looks}
          rowKey={({ at }) => at}
          noun="measurements"
        />
      ) : null}
      {weeks.length > 0 ? (
        <DataTable
          caption="Newest weeks of the gain, two weeks each"
          columns={weekColumns(per)}
          rows={weeks.toReversed()}
          rowKey={({ at }) => at}
          noun="weeks"
        />
      ) : null}
      {strata.length > 0 ? (
        <details>
          <summary>What was compared</summary>
          <DataTable
            caption="What was compared"
            captionHidden
            columns={stratumColumns}
            rows={strata}
            rowKey={({ label }) => label}
            noun="groups"
          />
        </details>
      ) : null}
      {runs.length > 0 ? (
        <p className="source">
          {truncated ? 'The newest ' : ''}
          {count(runs.length, 'run')} counted:{' '}
          <a href={`${base}/api/advisor/verdict?${csvQuery}`} aria-label="Runs counted, CSV">
            CSV
          </a>
        </p>
      ) : null}
    </Section>
  );
}

const formatSide = ({ units, value }: NonNullable<Verdict['before']>, per: string): string =>
  value === null ? `${figures(units)} ${per}` : `${figures(value, 1)} minutes each, ${figures(units)} ${per}`;

const outcomes: Record<Look['outcome'], string> = {
  kept: 'Kept',
  no_effect: 'No effect',
  not_kept: 'Not kept',
  open: 'Not decided',
  skipped: 'Too few',
  history_too_short: 'Too few days stored',
  nothing_comparable: 'Nothing comparable',
  no_minutes_after: 'No minutes after the merge',
  something_else_changed: 'Something else changed',
};

const fewerMinutes: Column<Pick<Look, 'delta_pct' | 'low' | 'high'>> = {
  key: 'delta',
  label: 'Fewer minutes',
  numeric: true,
  cell: ({ delta_pct: delta, low, high }) =>
    delta === null || low === null || high === null ? (
      <span className="muted">Not measured</span>
    ) : (
      <>
        {figures(delta, 1)} %
        <span className="sub muted">
          {figures(low, 1)} to {figures(high, 1)} % (98 %)
        </span>
      </>
    ),
};

const headed = (per: string): string => per.charAt(0).toUpperCase() + per.slice(1);

const lookColumns = (per: string): Column<Look>[] => [
  { key: 'day', label: 'After', heading: true, value: ({ day }) => `${day} days` },
  { key: 'at', label: 'Measured on', cell: ({ at }) => <Moment at={at} as="date" /> },
  { key: 'units', label: headed(per), numeric: true, value: ({ units }) => units },
  fewerMinutes,
  { key: 'outcome', label: 'Outcome', value: ({ outcome }) => outcomes[outcome] },
];

const weekColumns = (per: string): Column<Week>[] => [
  { key: 'at', label: 'Two weeks up to', heading: true, cell: ({ at }) => <Moment at={at} as="date" /> },
  { key: 'units', label: headed(per), numeric: true, value: ({ units }) => units },
  fewerMinutes,
];

const stratumColumns: Column<Stratum>[] = [
  { key: 'label', label: 'Group', heading: true, value: ({ label }) => label },
  { key: 'weight', label: 'Share', numeric: true, cell: ({ weight_pct: share }) => `${figures(share, 1)} %` },
  { key: 'before', label: 'Minutes before', numeric: true, cell: ({ before }) => figures(before, 1) },
  { key: 'after', label: 'Minutes after', numeric: true, cell: ({ after }) => figures(after, 1) },
  { key: 'unitsBefore', label: 'Count before', numeric: true, value: ({ units_before: units }) => units },
  { key: 'unitsAfter', label: 'Count after', numeric: true, value: ({ units_after: units }) => units },
];

type Row = Extract<PanelsOf<{ results: typeof getResults }>['results'], { ok: true }>['data']['rows'][number];

/** How a change came to the default branch: a pull request from here, or a commit of somebody. */
export function AppliedBy({ pull_request: pullRequest, commit }: Pick<Row, 'pull_request' | 'commit'>) {
  if (pullRequest) return <a href={pullRequest.html_url}>Pull request #{pullRequest.number}</a>;
  return commit ? <a href={commit.html_url}>Commit {commit.sha.slice(0, 7)}</a> : null;
}
