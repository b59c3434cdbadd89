import { quantity } from '../../../server/domain/quantity.ts';
import { MetricCard, MetricCards } from '../../components/metric-card.tsx';
import { Moment, whyUnread } from '../../components/moment.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { explainHref } from '../links.ts';
import { MergeCards } from '../merge-cards.tsx';
import { toCardCoverage } from '../repository-coverage.ts';
import type { PullRequests } from './page.tsx';

/** What is open now, and what was merged in the range against the comparison. */
export function Cards({ data }: { data: PullRequests }) {
  return (
    <MetricCards>
      <OpenCards data={data} />
      <Merged data={data} />
    </MetricCards>
  );
}

function OpenCards({ data }: { data: PullRequests }) {
  const { base } = usePageContext();
  const { totals, org, bots, longest_wait: longest, open_as_of: asOf } = data;
  const { coverage } = data.open_pull_requests;
  const quality = totals.open_complete ? undefined : ('floor' as const);
  const evidence = (metric: string) => explainHref(base, { metric, org, bots: bots === 'out' ? bots : null });
  const shown = coverage.read > 0 ? toCardCoverage(coverage) : undefined;
  const notRead = 'Not read in the last 36 hours.';
  const note =
    asOf === null ? undefined : (
      <>
        Read <Moment at={asOf} />.
      </>
    );
  return (
    <>
      <MetricCard
        label="Open"
        value={{ value: totals.open, unit: 'count', quality, reason: notRead }}
        coverage={shown}
        evidenceHref={evidence('scope_open_prs')}
        note={note}
      />
      <MetricCard
        label="Awaiting review"
        value={{
          value: totals.awaiting_review,
          unit: 'count',
          quality,
          reason: totals.open === null ? notRead : 'Not every review could be read.',
        }}
        beside={longest ? `longest ${quantity(longest.hours, 'hours')}` : null}
        coverage={shown}
        evidenceHref={evidence('scope_awaiting_review')}
        note={note}
      />
    </>
  );
}

function Merged({ data }: { data: PullRequests }) {
  const { base, zone, pages } = usePageContext();
  const { totals, org, range, bots, merged_from: from, merged_through: through } = data;
  // Its evidence belongs to another feature.
  const getEvidence = (metric: string) =>
    pages.includes('reports')
      ? explainHref(base, { metric, org, range, bots: bots === 'out' ? bots : null })
      : undefined;
  return (
    <MergeCards
      label="Merged"
      data={data}
      merges={{ merged: totals.merged, hours: totals.median_hours_to_merge, sample: totals.merge_sample }}
      before={{
        merged: totals.merged_before,
        hours: totals.median_hours_to_merge_before,
        sample: totals.merge_sample_before,
      }}
      verdicts={{ merged: totals.merged_verdict, hours: totals.hours_to_merge_verdict }}
      days={data.days}
      coverage={data.merged_pull_requests.coverage}
      through={through}
      explainUnread={() => whyUnread({ window: data.window, from, through }, zone)}
      getEvidence={getEvidence}
    />
  );
}
