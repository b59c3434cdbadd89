import { useLocation } from 'react-router';
import { figures, quantity, refineRate } from '../../../server/domain/quantity.ts';
import { StackedBars } from '../../charts/stacked-bars.tsx';
import { FactsAsOf } from '../../components/data-coverage-link.tsx';
import { Facts } from '../../components/facts.tsx';
import { Measurement } from '../../components/measurement.tsx';
import { MetricCard, MetricCards } from '../../components/metric-card.tsx';
import { Empty } from '../../components/notice.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Columns, Panel } from '../../components/panel.tsx';
import { explainHref } from '../links.ts';
import type { OverviewPanels } from './overview.tsx';
import { OpenPullRequestTable } from './pull-request-life-table.tsx';

export type Life = Extract<OverviewPanels['openPullRequests'], { ok: true }>['data'];

interface Props {
  result: OverviewPanels['openPullRequests'];
  repository: { owner: string; repo: string };
}

/** Who waits for whom in the open pull requests, beside how those that ended fared. */
export function PullRequestPanel({ result, repository }: Props) {
  const { now, zone, base } = usePageContext();
  const { pathname, search } = useLocation();
  const place = { ...repository, base };
  return (
    <Panel
      title="Pull requests"
      id="pull-requests"
      result={result}
      now={now}
      zone={zone}
      feature={{
        label: 'Pull request life cycle',
        shows: 'open pull requests by state, review and merge times',
      }}
      retryHref={`${pathname}${search}`}
      whenPartial={result.ok ? incomplete(result.data) : undefined}
    >
      {(life) => (
        <>
          {life.total_open === 0 ? <Empty cause="No open pull requests." /> : <Waits data={life} />}
          <Benchmarks data={life} {...place} />
          {life.total_open > 0 ? (
            <OpenPullRequestTable data={life} {...place} search={search} now={now} zone={zone} />
          ) : null}
          <Columns>
            {life.total_open > 0 ? <Ages data={life} /> : null}
            {life.closed_prs_analysed > 0 ? <Rounds data={life} /> : null}
          </Columns>
          <FactsAsOf at={life.generated_at} {...repository} />
        </>
      )}
    </Panel>
  );
}

function incomplete({ total_open: total, fetched_prs: read }: Life): string {
  return read < total
    ? `Only the oldest ${figures(read)} of ${figures(total)} open pull requests are loaded: counts are minimums.`
    : 'Partial data for long reviews: rounds are minimums, and times are approximate.';
}

/** Only people's: a bot's pull request keeps nobody waiting. */
function Waits({ data }: { data: Life }) {
  const byPeople = data.open_prs.filter((one) => !one.is_bot);
  const bots = data.open_prs.length - byPeople.length;
  const quality = data.fetched_prs < data.total_open ? 'floor' : 'measured';
  const line = (label: string, value: number | null, meaning: string) => ({
    label,
    value: (
      <>
        <Measurement value={{ value, unit: 'count', quality, reason: 'not all reviews could be loaded' }} />{' '}
        <span className="muted">{meaning}</span>
      </>
    ),
  });
  const on = (whom: Life['open_prs'][number]['waiting_on']) =>
    byPeople.some(({ waiting_on: waits }) => waits === null)
      ? null
      : byPeople.filter(({ waiting_on: waits }) => waits === whom).length;
  return (
    <Facts
      facts={[
        { label: 'Open', value: `${figures(data.total_open)}${bots > 0 ? `, ${figures(bots)} by bots` : ''}` },
        line('Awaiting review', on('reviewer'), 'not reviewed, missing approvals, or updated since'),
        line('Changes requested', on('author'), 'no push since the review'),
        line('Ready to merge', on('merge'), 'approved, not merged'),
        line('Drafts', on('nobody'), 'no review requested'),
        line('Unreviewed for five days', data.stale_count, 'including bots'),
      ]}
    />
  );
}

function Benchmarks({ data, base, owner, repo }: { data: Life; base: string; owner: string; repo: string }) {
  const evidence = (metric: string) => explainHref(base, { metric, owner, repo });
  const ended = `in ${data.benchmark_window_days} days`;
  return (
    <MetricCards>
      <MetricCard
        label="Time to first review"
        value={{
          value: data.time_to_first_review_p50_hours,
          unit: 'hours',
          sample: data.time_to_first_review_sample,
          source: `pull requests closed and reviewed ${ended}`,
          reason: `No reviewed pull requests closed ${ended}.`,
        }}
        note={slowest(data.time_to_first_review_p90_hours, data.time_to_first_review_sample)}
        evidenceHref={evidence('time_to_first_review_p50_hours')}
      />
      <MetricCard
        label="Approval to merge"
        value={{
          value: data.time_approval_to_merge_p50_hours,
          unit: 'hours',
          sample: data.time_approval_to_merge_sample,
          source: `pull requests approved and merged ${ended}`,
          reason: `No approved pull requests merged ${ended}.`,
        }}
        note={slowest(data.time_approval_to_merge_p90_hours, data.time_approval_to_merge_sample)}
        evidenceHref={evidence('time_approval_to_merge_p50_hours')}
      />
      <MetricCard
        label="Closed without merging"
        value={{
          value: refineRate(data.abandon_rate, data.abandoned_prs, data.abandon_rate_sample),
          unit: 'percent',
          sample: data.abandon_rate_sample,
          source: `pull requests by people closed or merged ${ended}`,
          reason: `No pull requests by people closed or merged ${ended}.`,
        }}
        evidenceHref={evidence('abandon_rate')}
      />
    </MetricCards>
  );
}

const slowest = (hours: number | null, sample: number) =>
  hours === null
    ? null
    : `p90 ${quantity(hours, 'hours')}${sample < 20 ? ' (small sample)' : ''}, including nights and weekends.`;

function Ages({ data: { age_distribution: ages } }: { data: Life }) {
  const ready = ages.reduce((sum, { count: some }) => sum + some, 0);
  return (
    <StackedBars
      title="Age of open pull requests"
      summary={`${figures(ages.at(-1)?.count ?? 0)} of ${figures(ready)} older than two weeks.`}
      rowLabel="Age"
      unit="count"
      sample="excluding drafts, including bots"
      parts={['open pull requests']}
      rows={ages.map(({ bucket, count: some }) => ({ name: bucket, values: [some] }))}
    />
  );
}

function Rounds({ data }: { data: Life }) {
  const rows = data.review_round_distribution.flatMap(({ rounds, count: some }) =>
    some === null ? [] : [{ rounds, count: some }],
  );
  if (rows.length === 0) return <p className="source">Rounds of review are unknown: not every review could be read.</p>;
  const merged = rows.reduce((sum, { count: some }) => sum + some, 0);
  return (
    <StackedBars
      title="Review rounds"
      summary={`${figures(rows[0]?.count ?? 0)} of ${figures(merged)} merged without a human review.`}
      rowLabel="Rounds"
      unit="count"
      sample={`merged in ${data.benchmark_window_days} days, including bots`}
      parts={['merged pull requests']}
      rows={rows.map(({ rounds, count: some }) => ({
        name: rounds === '1' ? '1 round' : `${rounds} rounds`,
        values: [some],
      }))}
    />
  );
}
