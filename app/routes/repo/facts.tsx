import { count } from '../../../server/domain/quantity.ts';
import { Badge, RunBadge, type Status } from '../../components/badge.tsx';
import { Facts as FactList } from '../../components/facts.tsx';
import { Measurement } from '../../components/measurement.tsx';
import { Moment } from '../../components/moment.tsx';
import { Health } from '../tables/summary-columns.tsx';
import type { OverviewPanels } from './overview.tsx';

type Summary = Extract<OverviewPanels['summary'], { ok: true }>['data'];

const heads: Record<string, [Status, string]> = {
  success: ['pass', 'checks pass'],
  failure: ['fail', 'checks fail'],
  error: ['fail', 'checks errored'],
  pending: ['running', 'checks running'],
};

/** What stands at the top of a repository's page, as words. */
export function Facts({ summary, now, zone }: { summary: Summary; now: number; zone: string }) {
  const [status, words] = heads[summary.head_status ?? ''] ?? ['void', 'no checks'];
  const { default_branch: branch, latest_run_at: latest } = summary;
  return (
    <FactList
      facts={[
        {
          label: 'Default branch',
          value: branch ? (
            <>
              {branch} <Badge status={status}>{words}</Badge>
            </>
          ) : (
            'none (empty repository)'
          ),
        },
        {
          label: 'Latest run',
          value: latest ? (
            <>
              <RunBadge status={summary.latest_status} conclusion={summary.latest_conclusion} />{' '}
              <Moment at={latest} now={now} zone={zone} /> {summary.latest_message}
            </>
          ) : (
            'none yet'
          ),
        },
        { label: 'Health', value: <Health health={summary.health} /> },
        { label: 'Success', value: <Success summary={summary} /> },
        { label: 'Open', value: <Open summary={summary} /> },
        {
          label: 'Visibility',
          value: [summary.visibility, summary.fork ? 'fork' : '', summary.archived ? 'archived' : '']
            .filter(Boolean)
            .join(', '),
        },
      ]}
    />
  );
}

function Success({ summary: { success_rate: value, success_rate_sample: sample } }: { summary: Summary }) {
  if (value === null) return <span className="muted">no run passed or failed</span>;
  return (
    <>
      <Measurement value={{ value, unit: 'percent', sample }} />{' '}
      <span className="muted">of the last {count(sample, 'run')} that passed or failed</span>
    </>
  );
}

const Open = ({ summary }: { summary: Summary }) => (
  <>
    <Measurement value={{ value: summary.open_prs, unit: 'count', reason: 'Not loaded.' }} /> pull requests,{' '}
    <Measurement value={{ value: summary.open_issues, unit: 'count', reason: 'Issues are disabled.' }} /> issues
  </>
);
