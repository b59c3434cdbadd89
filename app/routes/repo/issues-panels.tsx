import { count } from '../../../server/domain/quantity.ts';
import type { PanelsOf } from '../../../server/http/adapters.ts';
import type { getIssues } from '../../../server/reports/issues/operations.ts';
import { FactsAsOf } from '../../components/data-coverage-link.tsx';
import { usePageContext, useSearch } from '../../components/page-context.ts';
import { Panel } from '../../components/panel.tsx';
import { PeriodBar } from '../../components/period-bar.tsx';
import { describeUnoffered, isSharedRange } from '../../components/period-filters.ts';
import { Backlog } from './issues-backlog.tsx';
import { IssueCards, type Issues } from './issues-cards.tsx';
import type { RepositoryPath } from './panels.ts';

const feature = { label: 'Issues', shows: 'backlog, time to close and unanswered issues' };

type Answer = PanelsOf<{ issues: typeof getIssues }>['issues'];

/** How the tracker stands, and what is open. */
export function IssuePanels({
  result: issues,
  repository: { owner, repo },
}: {
  result: Answer;
  repository: RepositoryPath;
}) {
  const { base } = usePageContext();
  const search = useSearch();
  const isOff = !issues.ok && issues.problem.code === 'issues_disabled';
  return (
    <>
      {isOff ? null : <Period search={search} days={issues.ok ? issues.data.period_days : null} />}
      <Panel
        title="Backlog"
        result={issues}
        feature={feature}
        whenPartial={issues.ok ? incomplete(issues.data) : undefined}
      >
        {(data) => (
          <>
            <IssueCards data={data} base={base} owner={owner} repo={repo} />
            <FactsAsOf at={data.generated_at} owner={owner} repo={repo} />
          </>
        )}
      </Panel>
      {issues.ok ? <Backlog data={issues.data} base={base} owner={owner} repo={repo} /> : null}
    </>
  );
}

/** Presets as links, any number from 7 to 90 in the field. */
export function Period({ search, days }: { search: string; days: number | null }) {
  const query = new URLSearchParams(search);
  const shown = days === null ? requestedDays(query) : String(days);
  const isPreset = presets.includes(shown);
  return (
    <PeriodBar
      search={search}
      filters={[
        {
          kind: 'links',
          name: 'range',
          label: 'Range',
          value: shown,
          options: presets.map((value) => ({ value, label: `${value} days` })),
        },
        {
          kind: 'number',
          name: 'range',
          label: 'or',
          value: isPreset ? null : shown,
          min: 7,
          max: 90,
          unit: 'days',
        },
      ]}
      fixed={describeUnoffered(query, presets, { compared: 'Compared with the previous period' })}
    />
  );
}

const presets = ['7', '30', '90'];

/** Any number of days; a range of another kind that is carried along counts as the usual. */
export function requestedDays(query: URLSearchParams): string {
  const range = query.get('range') || '30';
  return isSharedRange(range) && !presets.includes(range) ? '30' : range;
}

function incomplete({ exact, total_analysed }: Issues): string {
  const read = `Based on ${count(total_analysed, 'issue')}; more exist. `;
  return exact.includes('open_count')
    ? `${read}Counts are exact; times to close, labels and assignees cover the issues loaded.`
    : `${read}Counts are minimums.`;
}
