import type { Context } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import type { Outage } from '../../metrics/delivery/restores.ts';
import {
  type ScopeDeployment,
  scopeDeployments,
  scopeDeploysPerDay,
  scopeFailureRate,
  scopeTimeToRestore,
} from '../../metrics/delivery/scope-deployments.ts';
import type { Metric } from '../../metrics/kernel/metric.ts';
import type { Window } from '../../metrics/kernel/window.ts';
import { deploymentItem, outageItem } from '../deployments/evidence.ts';
import { type EvidenceItem, type Explanation, explainMetric } from '../kernel/evidence.ts';
import { assertOwner } from '../repositories/visibility.ts';
import {
  coverDeployments,
  listDeployments,
  listOutages,
  type RepositoryDeployments,
  readScopeDeployments,
} from './reading.ts';

interface Explained<Fact> {
  metric: Metric<Fact>;
  list(one: RepositoryDeployments, window: Window): Fact[];
  item(fact: Fact): Domain<typeof EvidenceItem>;
}

const explainOfScope = <Fact extends object>({ metric, list, item }: Explained<Fact>): Explanation => ({
  key: metric.key,
  feature: 'deployments',
  needs: [],
  async explain({ org }, context: Context) {
    const reading = await readScopeDeployments(org, context);
    if (org && reading.scope.visible === 0) await assertOwner(org, context);
    const covered = coverDeployments(reading);
    const counted = reading.repositories.flatMap(({ known, isProductionKnown, ...one }) =>
      known && isProductionKnown ? [{ ...one, known, isProductionKnown }] : [],
    );
    const facts = counted.flatMap((one) =>
      list(one, one.known.scope.window).map((fact) => ({ fact, repo: one.repository.name })),
    );
    const nameOf = new Map<Fact, string>(facts.map(({ fact, repo }) => [fact, repo]));
    const answer = explainMetric(
      metric,
      facts.map(({ fact }) => fact),
      {
        window: null,
        partial: !covered.coverage.complete,
        ...covered,
        asOf: Math.min(context.services.clock.now(), ...counted.map(({ known }) => known.set.asOf)),
        source: 'database',
        item(fact) {
          const own = item(fact);
          return { ...own, label: `${nameOf.get(fact)}: ${own.label}`, url: context.isDemo ? null : own.url };
        },
      },
    );
    return counted.length === 0 ? { ...answer, value: null } : answer;
  },
});

const ofDeployments = (metric: Metric<ScopeDeployment>): Explanation =>
  explainOfScope<ScopeDeployment>({
    metric,
    list: listDeployments,
    item: ({ deployment }) => deploymentItem(deployment),
  });

/** What was deployed in the repositories of a scope. */
export const scopeDeploymentExplanations: readonly Explanation[] = [
  ofDeployments(scopeDeployments),
  ofDeployments(scopeDeploysPerDay),
  ofDeployments(scopeFailureRate),
  explainOfScope<Outage>({ metric: scopeTimeToRestore, list: listOutages, item: outageItem }),
];
