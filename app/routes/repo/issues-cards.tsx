import type { z } from 'zod';
import { figures, quantity } from '../../../server/domain/quantity.ts';
import type { getIssues } from '../../../server/reports/issues/operations.ts';
import { Link } from '../../charts/link.tsx';
import { minCompared } from '../../components/comparison.ts';
import { capitalized, changeInPercent } from '../../components/measurement.tsx';
import { MetricCard, MetricCards } from '../../components/metric-card.tsx';
import { SharedParamsLink } from '../../components/shared-params.tsx';
import { explainHref } from '../links.ts';

export type Issues = z.output<(typeof getIssues)['output']>;

interface Props {
  data: Issues;
  base: string;
  owner: string;
  repo: string;
}

/** The headline numbers of the tracker. */
export function IssueCards({ data, base, owner, repo }: Props) {
  const evidence = (metric: string) => explainHref(base, { metric, owner, repo });
  return (
    <MetricCards>
      <Open data={data} href={evidence('open_count')} />
      <Change data={data} base={base} owner={owner} repo={repo} />
      <TimeToClose data={data} base={base} owner={owner} repo={repo} />
      <Waiting
        data={data}
        field="unanswered_count"
        label="Unanswered"
        meaning="Open for two weeks without a comment."
        href={evidence('unanswered_count')}
      />
      <Waiting
        data={data}
        field="stale_count"
        label="Stale"
        meaning="No update for 30 days."
        href={evidence('stale_count')}
      />
      <Waiting data={data} field="unlabelled_count" label="No label" href={evidence('unlabelled_count')} />
      <Waiting data={data} field="unassigned_count" label="No assignee" href={evidence('unassigned_count')} />
    </MetricCards>
  );
}

type CountField = 'open_count' | 'unanswered_count' | 'stale_count' | 'unlabelled_count' | 'unassigned_count';

const getQuality = ({ exact }: Issues, field: string) => (exact.includes(field) ? 'measured' : 'floor');

function Open({ data, href }: { data: Issues; href: string }) {
  const isFloor = getQuality(data, 'open_count') === 'floor';
  const oldest = data.oldest_open;
  const isExact = !isFloor && data.exact.includes('backlog_delta');
  const before = data.open_count - data.backlog_delta;
  return (
    <MetricCard
      label="Open"
      value={{ value: data.open_count, unit: 'count', quality: getQuality(data, 'open_count') }}
      evidenceHref={href}
      change={
        isExact
          ? {
              by: before < minCompared ? null : changeInPercent(data.open_count, before),
              unit: 'percent',
              better: 'lower',
              against: `${data.period_days} days ago`,
              reason: `fewer than ${minCompared} before`,
            }
          : undefined
      }
      note={
        <>
          {isFloor ? 'A minimum: not all open issues could be loaded. ' : null}
          {oldest ? (
            <>
              Oldest, {quantity(oldest.age_days, 'days')}: <IssueLink issue={oldest} />
            </>
          ) : null}
        </>
      }
    />
  );
}

/** Grown or shrunk, with the sign: a bare number would leave open which. Each half of the difference opens its own list. */
function Change({ data, base, owner, repo }: Props) {
  const { backlog_delta: delta, opened_in_period: opened, closed_in_period: closed } = data;
  const label = delta > 0 ? 'Backlog grew by' : delta < 0 ? 'Backlog shrank by' : 'Backlog unchanged';
  const href = (metric: string) => explainHref(base, { metric, owner, repo, days: data.period_days });
  const { period_before: before } = data;
  const apart = [
    data.closed_not_planned ? `${figures(data.closed_not_planned)} as not planned` : '',
    data.closed_by_bot ? `${figures(data.closed_by_bot)} by bots` : '',
    data.closed_not_planned === null ? 'not planned: unknown' : '',
    data.closed_by_bot === null ? 'by bots: unknown' : '',
  ].filter(Boolean);
  return (
    <MetricCard
      label={label}
      value={{ value: Math.abs(delta), unit: 'count' }}
      note={
        <>
          {signed(delta)} in {data.period_days} days:{' '}
          <SharedParamsLink href={href('opened_in_period')}>{figures(opened)} opened</SharedParamsLink>,{' '}
          <SharedParamsLink href={href('closed_in_period')}>{figures(closed)} closed</SharedParamsLink>
          {apart.length ? `, ${apart.join(' and ')}` : ''}.
          {data.exact.includes('backlog_delta') ? null : ' Partial data.'}
          {before
            ? ` ${capitalized(windowBefore(data))}: ${before.backlog_delta === 0 ? 'unchanged' : signed(before.backlog_delta)}.`
            : null}
        </>
      }
    />
  );
}

const signed = (delta: number) => `${delta > 0 ? '+' : ''}${figures(delta)}`;

const windowBefore = ({ period_days: days }: Issues) => `previous ${figures(days)} days`;

function TimeToClose({ data, base, owner, repo }: Props) {
  const { median_days_to_close: median, p90_days_to_close: slow, days_to_close_sample: sample } = data;
  const period = `issues closed in ${data.period_days} days`;
  const href = (metric: string) => explainHref(base, { metric, owner, repo, days: data.period_days });
  const earlier = (field: 'median_days_to_close' | 'p90_days_to_close', verdict: 'median_verdict' | 'p90_verdict') =>
    data.period_before && {
      window: windowBefore(data),
      verdict: data.period_before[verdict],
      value: {
        value: data.period_before[field],
        unit: 'days' as const,
        sample: data.period_before.days_to_close_sample,
        reason: 'none closed',
      },
    };
  return (
    <>
      <MetricCard
        label="Time to close"
        value={{ value: median, unit: 'days', sample, source: period, reason: `No ${period}.` }}
        note={sample > 0 ? 'Half were closed within this time.' : null}
        evidenceHref={href('median_days_to_close')}
        before={earlier('median_days_to_close', 'median_verdict')}
      />
      <MetricCard
        label="Time to close, p90"
        value={{ value: slow, unit: 'days', sample, reason: `No ${period}.` }}
        note={slowestNote(sample)}
        evidenceHref={href('p90_days_to_close')}
        before={earlier('p90_days_to_close', 'p90_verdict')}
      />
    </>
  );
}

function slowestNote(sample: number): string | null {
  if (sample === 0) return null;
  return sample < 20 ? 'Small sample: fewer than 20 closed.' : '90 % were closed within this time.';
}

interface WaitingProps {
  data: Issues;
  field: CountField;
  label: string;
  meaning?: string;
  href: string;
}

function Waiting({ data, field, label, meaning, href }: WaitingProps) {
  return (
    <MetricCard
      label={label}
      value={{
        value: data[field],
        unit: 'count',
        quality: getQuality(data, field),
        reason: 'not all issues could be loaded',
      }}
      note={[`Of ${figures(data.open_count)} open.`, meaning].filter(Boolean).join(' ')}
      evidenceHref={href}
    />
  );
}

/** An issue by number and title; what is invented leads nowhere. */
export function IssueLink({ issue: { number, title, html_url: url } }: { issue: Issues['neglected'][number] }) {
  const caption = title === null ? `#${number}` : `#${number} ${title}`;
  return url === '#' ? caption : <Link href={url}>{caption}</Link>;
}
