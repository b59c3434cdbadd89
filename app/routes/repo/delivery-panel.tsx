import { count } from '../../../server/domain/quantity.ts';
import { ActionLink } from '../../charts/link.tsx';
import { FactsAsOf } from '../../components/data-coverage-link.tsx';
import { DefinitionLink } from '../../components/metric-card.tsx';
import { Notice, Stale } from '../../components/notice.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { asSentence, Panel } from '../../components/panel.tsx';
import { countFinished, DeliveryCards, getEvidenceHref, hasEnough } from './delivery-cards.tsx';
import { unreadStatuses } from './delivery-labels.ts';
import type { Delivery, RepositoryPanels, RepositoryPath } from './panels.ts';

type Props = Pick<RepositoryPanels, 'delivery' | 'deployments'> & { repository: RepositoryPath };

/** How changes get through: the four keys. */
export function DeliveryPanel({ delivery, deployments, repository }: Props) {
  const { base } = usePageContext();
  if (!delivery.ok)
    return (
      <Panel
        title="Delivery"
        result={delivery}
        feature={{ label: 'Delivery metrics', shows: 'deployment frequency, lead time and failure rate' }}
      >
        {() => null}
      </Panel>
    );
  const { data, notes } = delivery;
  const stale = [delivery, deployments].find((one) => one.ok && one.notes.stale);
  return (
    <section aria-label="Delivery" className="grid gap-2">
      <h2 className="sr">Delivery</h2>
      {stale?.ok ? <Stale asOf={stale.notes.asOf} /> : null}
      <DeliveryCards delivery={data} deployments={deployments} evidence={getEvidenceHref(base, repository)} />
      {notes.partial ? (
        <Notice tone="partial">
          Not all pull requests of 90 days could be loaded: counts are minimums, and times cover those loaded.
          {notes.partialReason ? ` ${asSentence(notes.partialReason)}` : null}
        </Notice>
      ) : null}
    </section>
  );
}

/** How the four keys were measured. */
export function DeliveryMethod({ delivery, deployments, repository }: Props) {
  const { base, pages } = usePageContext();
  const deployed = `${base}/repos/${repository.owner}/${repository.repo}/deployments`;
  if (!delivery.ok) return null;
  return (
    <details className="source">
      <summary>Method</summary>
      <WhyEstimated
        deployments={deployments}
        href={pages.includes('repos/:owner/:repo/deployments') ? deployed : null}
      />
      <AfterDeployments data={delivery.data} />
      <FactsAsOf at={delivery.data.generated_at} {...repository} />
    </details>
  );
}

/** What came after deployments of 30 days: corroborated failures, and DORA's fifth metric, in words. */
function AfterDeployments({ data: { corroborated_failures: failures, rework_rate: rework } }: { data: Delivery }) {
  if (failures === null || rework === null || failures.total + failures.undecided === 0) return null;
  const all = count(failures.total, 'finished production deployment');
  return (
    <p>
      {`${failures.failures} of ${all} in 30 days failed, were rolled back or had a change reverted within 24 hours (${withUndecided(failures)})`}{' '}
      <DefinitionLink metric="corroborated_failure_rate_pct" of="corroborated failures" />
      {`. Rework: ${rework.rework} of ${rework.total} rolled back or from a hotfix branch (${withUndecided(rework)})`}{' '}
      <DefinitionLink metric="rework_rate_pct" of="rework" />. A rollback deploys an earlier commit again.
    </p>
  );
}

const withUndecided = ({ label, undecided }: { label: string; undecided: number }) =>
  undecided === 0 ? label : `of ${undecided} more it is not known`;

interface WhyProps extends Pick<Props, 'deployments'> {
  /** Where the deployments are, for whoever may open them. */
  href: string | null;
}

/** From what the keys were computed, and what would make them measured ones. */
function WhyEstimated({ deployments, href }: WhyProps) {
  if (deployments.ok && hasEnough(deployments.data))
    return <p>Measured from production deployments; lead time from pull requests.</p>;
  if (deployments.ok && deployments.data.source === 'deployments' && countFinished(deployments.data) === null)
    return <p>Estimated from pull requests and releases: {unreadStatuses}</p>;
  if (deployments.ok)
    return (
      <p>
        Estimated from pull requests and releases: fewer than 5 production deployments finished in 30 days.{' '}
        {href === null ? null : <ActionLink href={href}>Deployments</ActionLink>}
      </p>
    );
  if (deployments.problem.status === 403) return <p>Estimated from pull requests and releases.</p>;
  return <p>Estimated from pull requests and releases: deployments could not be loaded.</p>;
}
