import { count, figures } from '../../../server/domain/quantity.ts';
import { Link } from '../../charts/link.tsx';
import { withChoices } from '../../components/choices.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Moment } from '../../components/moment.tsx';
import { usePageContext, useSearch } from '../../components/page-context.ts';
import { Panel } from '../../components/panel.tsx';
import { toSearchFile } from './exposure-runs.tsx';
import { reasonWords, type Search, VerdictBadge, Why } from './exposure-words.tsx';

type Repository = Search['repositories'][number];

/** Every repository with its verdict, the worst first. */
export function ExposedRepositories({ data }: { data: Search }) {
  const { base } = usePageContext();
  const search = useSearch();
  return (
    <Panel title="Repositories" id="repositories" result={{ ok: true, data: data.repositories }}>
      {(rows) => (
        <DataTable
          caption="Repositories, the worst first"
          captionHidden
          columns={columns(search)}
          rows={rows}
          rowKey={({ repo }) => repo}
          noun="repositories"
          csvHref={toSearchFile({ base, search, org: data.org }, { format: 'csv', table: 'repositories' })}
          empty={{ cause: 'You can see no repository of this organization.' }}
        />
      )}
    </Panel>
  );
}

const columns = (search: string): Column<Repository>[] => [
  {
    key: 'repo',
    label: 'Repository',
    heading: true,
    cell: ({ repo }) => (
      <Link href={`${withChoices(search, { repo, verdict: null, secret: null, page: null })}#runs`}>{repo}</Link>
    ),
  },
  { key: 'verdict', label: 'Verdict', cell: (row) => <VerdictBadge verdict={row.verdict} /> },
  { key: 'why', label: 'Why', wide: true, cell: (row) => <Why row={row} /> },
  {
    key: 'used',
    label: 'Used as',
    cell: ({ refs, through, direct, default_branch_uses_now: isUsedNow }) => (
      <>
        {refs.length === 0 ? <span className="muted">no use seen</span> : <code>{refs.join(', ')}</code>}
        {through.length > 0 ? (
          <span className="sub muted">
            {direct ? 'also ' : ''}through {through.join(', ')}
          </span>
        ) : null}
        {isUsedNow ? <span className="sub muted">used now</span> : null}
      </>
    ),
  },
  {
    key: 'attempts',
    label: 'Attempts',
    cell: ({ attempts: { proven, possible, unknown, no } }) => (
      <>
        {figures(proven + possible)}
        <span className="sub muted">
          of {figures(proven + possible + unknown + no)}
          {unknown > 0 ? `, ${figures(unknown)} not known` : ''}
        </span>
      </>
    ),
  },
  {
    key: 'last',
    label: 'Last use',
    cell: ({ last_use: lastUse }) => (lastUse ? <Moment at={lastUse} as="date-time" /> : null),
  },
];

/** What is missing for an answer without doubt. */
export function NotChecked({ data: { not_checked: missing, coverage } }: { data: Search }) {
  const gaps = coverage.reasons.flatMap((reason) => gapWords[reason] ?? []);
  if (missing.length === 0 && gaps.length === 0) return null;
  return (
    <Panel title="What could not be checked" id="not-checked" result={{ ok: true, data: missing }}>
      {(rows) => (
        <ul>
          {gaps.map((gap) => (
            <li key={gap}>{gap}</li>
          ))}
          {rows.map(({ reason, attempts }) => (
            <li key={reason}>
              {count(attempts, 'attempt')}: {reasonWords[reason]}.
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

const gapWords: Partial<Record<Search['coverage']['reasons'][number], string>> = {
  not_read: 'Of some repositories it was never read what they use.',
  runs_gap: 'Of some repositories runs of that time may be missing, so none of these is cleared.',
  files_unread:
    'Of some runs the workflow file was not read, or it is not certain which one ran, so that it clears none of them.',
  logs_unread: 'Some logs were not read, or not to their end, so not every run that is affected is shown to be.',
  page_cap: 'There are more attempts or uses than are looked at: only some count, and no repository is cleared.',
};
