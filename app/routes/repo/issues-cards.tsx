import { figures, quantity } from '../../../server/domain/quantity.ts';
import { MetricCard, MetricCards } from '../../components/metric-card.tsx';
import { explainHref } from '../explain-href.ts';
import type { Route } from './+types/issues';

export type Issues = Extract<Route.ComponentProps['loaderData']['issues'], { ok: true }>['data'];

interface Props {
  of: Issues;
  base: string;
  owner: string;
  repo: string;
}

/** The headline numbers of the tracker. */
export function IssueCards({ of, base, owner, repo }: Props) {
  const evidence = (metric: string) => explainHref(base, { metric, owner, repo });
  return (
    <MetricCards>
      <Open of={of} href={evidence('open_count')} />
      <Change of={of} base={base} owner={owner} repo={repo} />
      <TimeToClose of={of} base={base} owner={owner} repo={repo} />
      <Waiting
        of={of}
        field="unanswered_count"
        label="Unanswered"
        meaning="Two weeks old or more, without a comment."
        href={evidence('unanswered_count')}
      />
      <Waiting
        of={of}
        field="stale_count"
        label="Stale"
        meaning="No update for 30 days."
        href={evidence('stale_count')}
      />
      <Waiting of={of} field="unlabelled_count" label="Without a label" href={evidence('unlabelled_count')} />
      <Waiting of={of} field="unassigned_count" label="Without an assignee" href={evidence('unassigned_count')} />
    </MetricCards>
  );
}

type CountField = 'open_count' | 'unanswered_count' | 'stale_count' | 'unlabelled_count' | 'unassigned_count';

const qualityOf = ({ exact }: Issues, field: string) => (exact.includes(field) ? 'measured' : 'floor');

function Open({ of, href }: { of: Issues; href: string }) {
  const isFloor = qualityOf(of, 'open_count') === 'floor';
  const oldest = of.oldest_open;
  return (
    <MetricCard
      label="Open"
      of={{ value: of.open_count, unit: 'count', quality: qualityOf(of, 'open_count') }}
      evidenceHref={href}
      note={
        <>
          {isFloor ? 'This count is a floor: more are open than could be read. ' : null}
          {oldest ? (
            <>
              The oldest, for {quantity(oldest.age_days, 'days')}: <IssueLink of={oldest} />
            </>
          ) : null}
        </>
      }
    />
  );
}

/** Grown or shrunk, with the sign: a bare number would leave open which. */
function Change({ of, base, owner, repo }: Props) {
  const { backlog_delta: delta, opened_in_period: opened, closed_in_period: closed } = of;
  const label = delta > 0 ? 'Backlog grew by' : delta < 0 ? 'Backlog shrank by' : 'Backlog unchanged';
  const href = (metric: string) => explainHref(base, { metric, owner, repo, days: of.period_days });
  const { period_before: before } = of;
  const apart = [
    of.closed_not_planned ? `${figures(of.closed_not_planned)} as not planned` : '',
    of.closed_by_bot ? `${figures(of.closed_by_bot)} by bots` : '',
  ].filter(Boolean);
  return (
    <MetricCard
      label={label}
      of={{ value: Math.abs(delta), unit: 'count' }}
      evidenceHref={href(delta < 0 ? 'closed_in_period' : 'opened_in_period')}
      note={
        <>
          {signed(delta)} in {of.period_days} days: <a href={href('opened_in_period')}>{figures(opened)} opened</a>,{' '}
          <a href={href('closed_in_period')}>{figures(closed)} closed</a>
          {apart.length ? `, of them ${apart.join(' and ')}` : ''}.
          {of.exact.includes('backlog_delta') ? null : ' Only of the issues that were read.'}
          {before
            ? ` ${windowBefore(of)}: ${before.backlog_delta === 0 ? 'unchanged' : signed(before.backlog_delta)}.`
            : null}
        </>
      }
    />
  );
}

const signed = (delta: number) => `${delta > 0 ? '+' : ''}${figures(delta)}`;

const windowBefore = ({ period_days: days }: Issues) => `${figures(days)} days before`;

function TimeToClose({ of, base, owner, repo }: Props) {
  const { median_days_to_close: median, p90_days_to_close: slow, days_to_close_sample: sample } = of;
  const period = `issues closed in ${of.period_days} days`;
  const href = (metric: string) => explainHref(base, { metric, owner, repo, days: of.period_days });
  const earlier = (field: 'median_days_to_close' | 'p90_days_to_close') =>
    of.period_before && {
      window: windowBefore(of),
      of: {
        value: of.period_before[field],
        unit: 'days' as const,
        sample: of.period_before.days_to_close_sample,
        reason: 'none closed',
      },
    };
  return (
    <>
      <MetricCard
        label="Time to close"
        of={{ value: median, unit: 'days', sample, source: period, reason: `No ${period}.` }}
        note={sample > 0 ? 'Half of them took longer.' : null}
        evidenceHref={href('median_days_to_close')}
        before={earlier('median_days_to_close')}
      />
      <MetricCard
        label="Time to close, 90th percentile"
        of={{ value: slow, unit: 'days', sample, source: period, reason: `No ${period}.` }}
        note={slowestNote(sample)}
        evidenceHref={href('p90_days_to_close')}
        before={earlier('p90_days_to_close')}
      />
    </>
  );
}

function slowestNote(sample: number): string | null {
  if (sample === 0) return null;
  return sample < 20 ? 'One in ten took longer. Fewer than 20 were closed: a rough guide.' : 'One in ten took longer.';
}

interface WaitingProps {
  of: Issues;
  field: CountField;
  label: string;
  meaning?: string;
  href: string;
}

function Waiting({ of, field, label, meaning, href }: WaitingProps) {
  return (
    <MetricCard
      label={label}
      of={{ value: of[field], unit: 'count', quality: qualityOf(of, field), reason: 'not all issues could be read' }}
      note={[`Of ${figures(of.open_count)} open.`, meaning].filter(Boolean).join(' ')}
      evidenceHref={href}
    />
  );
}

/** An issue by number and title; what is invented leads nowhere. */
export function IssueLink({ of: { number, title, html_url: url } }: { of: Issues['neglected'][number] }) {
  const caption = title === null ? `#${number}` : `#${number} ${title}`;
  return url === '#' ? caption : <a href={url}>{caption}</a>;
}
