import { count } from '../../../server/domain/quantity.ts';
import { FactsAsOf } from '../../components/data-coverage-link.tsx';
import { Notice } from '../../components/notice.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Panel } from '../../components/panel.tsx';
import { countFinished, type Delivery, DeliveryCards, getEvidenceHref, hasEnough } from './delivery-cards.tsx';
import { DeliveryCharts } from './delivery-charts.tsx';
import { unreadStatuses } from './delivery-labels.ts';
import type { OverviewPanels } from './overview.tsx';

type Props = Pick<OverviewPanels, 'delivery' | 'deployments'> & {
  repository: { owner: string; repo: string };
};

/** How changes get through: the four keys and what stands behind them. */
export function DeliveryPanel({ delivery, deployments, repository }: Props) {
  const { now, zone, base, pages } = usePageContext();
  const here = `${base}/repos/${repository.owner}/${repository.repo}`;
  const deployed = pages.includes('repos/:owner/:repo/deployments') ? `${here}/deployments` : null;
  return (
    <Panel
      title="Delivery"
      result={delivery}
      now={now}
      zone={zone}
      retryHref={here}
      aside={deployed ? <a href={deployed}>Deployments</a> : null}
      feature={{ label: 'Delivery metrics', shows: 'deployment frequency, lead time and failure rate' }}
      whenPartial="Not all pull requests of 90 days could be loaded: counts are minimums, and times cover those loaded. Weekly counts are exact."
    >
      {(data) => (
        <>
          <DeliveryCards delivery={data} deployments={deployments} evidence={getEvidenceHref(base, repository)} />
          {whyEstimated(deployments, deployed)}
          <AfterDeployments data={data} />
          <DeliveryCharts data={data} />
          <FactsAsOf at={data.generated_at} {...repository} />
        </>
      )}
    </Panel>
  );
}

/** What came after deployments of 30 days: corroborated failures, and DORA's fifth metric, in words. */
function AfterDeployments({ data: { corroborated_failures: failures, rework_rate: rework } }: { data: Delivery }) {
  if (failures === null || rework === null || failures.total === 0) return null;
  const all = count(failures.total, 'finished production deployment');
  return (
    <p className="source">
      {`${failures.failures} of ${all} in 30 days failed, were rolled back or had a revert merged within 24 hours (${failures.label}). `}
      {`Rework: ${rework.rework} rolled back or from a hotfix branch (${rework.label}). A rollback deploys an earlier commit again.`}
    </p>
  );
}

/** Shown where deployments would have shown more, had they been read. */
function whyEstimated(deployments: Props['deployments'], href: string | null) {
  if (deployments.ok && (deployments.data.source !== 'deployments' || hasEnough(deployments.data))) return null;
  if (deployments.ok && countFinished(deployments.data) === null)
    return (
      <Notice tone="partial" title="Estimated.">
        {unreadStatuses} All keys are estimated from pull requests and releases.
      </Notice>
    );
  if (deployments.ok)
    return (
      <Notice title="Estimated." next={href === null ? undefined : { label: 'See what was deployed', href }}>
        Fewer than 5 production deployments finished in 30 days.
      </Notice>
    );
  const isForbidden = deployments.problem.status === 403;
  return isForbidden ? null : (
    <Notice tone="partial" title="Estimated.">
      Deployments could not be loaded. All keys are estimated from pull requests and releases.
    </Notice>
  );
}
