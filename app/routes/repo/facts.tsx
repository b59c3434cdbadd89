import { Badge, RunBadge, type Status } from '../../components/badge.tsx';
import { Measurement } from '../../components/measurement.tsx';
import { Moment } from '../../components/moment.tsx';
import { Health } from '../repository-table.tsx';
import type { Route } from './+types/overview';

type Summary = Extract<Route.ComponentProps['loaderData']['summary'], { ok: true }>['data'];

const heads: Record<string, [Status, string]> = {
  success: ['pass', 'checks pass'],
  failure: ['fail', 'checks fail'],
  error: ['fail', 'checks ended in an error'],
  pending: ['running', 'checks run'],
};

/** What stands at the top of a repository's page, as words. */
export function Facts({ summary, now, zone }: { summary: Summary; now: number; zone: string }) {
  const [status, words] = heads[summary.head_status ?? ''] ?? ['void', 'no checks'];
  return (
    <dl className="facts">
      <dt>Default branch</dt>
      <dd>
        {summary.default_branch ? (
          <DefaultBranch name={summary.default_branch} status={status} words={words} />
        ) : (
          'none: the repository is empty'
        )}
      </dd>
      <dt>Latest run</dt>
      <dd>
        {summary.latest_run_at ? (
          <>
            <RunBadge status={summary.latest_status} conclusion={summary.latest_conclusion} />{' '}
            <Moment at={summary.latest_run_at} now={now} zone={zone} /> {summary.latest_message}
          </>
        ) : (
          'none yet'
        )}
      </dd>
      <dt>Health</dt>
      <dd>
        <Health of={summary.health} />{' '}
        <Measurement
          showSample
          of={{
            value: summary.success_rate,
            unit: 'percent',
            sample: summary.success_rate_sample,
            source: 'of the last ten runs that passed or failed',
            reason: 'No run has passed or failed yet.',
          }}
        />
      </dd>
      <dt>Open</dt>
      <dd>
        <Measurement of={{ value: summary.open_prs, unit: 'count', reason: 'They could not be read.' }} /> pull
        requests,{' '}
        <Measurement of={{ value: summary.open_issues, unit: 'count', reason: 'The tracker is switched off.' }} />{' '}
        issues
      </dd>
      <dt>Kind</dt>
      <dd>
        {[summary.visibility, summary.fork ? 'fork' : '', summary.archived ? 'archived' : '']
          .filter(Boolean)
          .join(', ')}
      </dd>
    </dl>
  );
}

const DefaultBranch = ({ name, status, words }: { name: string; status: Status; words: string }) => (
  <>
    {name} <Badge status={status}>{words}</Badge>
  </>
);
