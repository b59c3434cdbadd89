import type { Metric } from '../../metrics/kernel/metric.ts';
import {
  affectedRepositories,
  oldestOrganizationAlert,
  organizationAlerts,
  type RepositoryAlerts,
  type RepositoryFinding,
  severeAlerts,
  severeFindings,
} from '../../metrics/security/organization-security.ts';
import { alertAge, type RepositoryAlert } from '../../metrics/security/security-alerts.ts';
import type { SecurityFilter } from '../../metrics/security/security-filter.ts';
import { getRule } from '../../scan/rules.ts';
import { type EvidenceItem, type Explanation, explainMetric } from '../kernel/evidence.ts';
import { noteListing } from '../kernel/notes.ts';
import { filterAlerts, filterFindings, listRepositoryAlerts } from './counted.ts';
import { coverAlerts } from './coverage.ts';
import { readSecurity, type SecurityReading } from './reading.ts';
import { pageScans } from './scanned.ts';

type Item = (typeof EvidenceItem)['_zod']['input'];

interface ExplainedSecurity<Fact> {
  metric(reading: SecurityReading): Metric<Fact>;
  select(reading: SecurityReading, filter: SecurityFilter): Fact[];
  item(fact: Fact, reading: SecurityReading): Item;
  /** Whether some of what would count is not known. */
  isPartial(reading: SecurityReading): boolean;
  /** false where nothing at all is known. */
  isKnown(reading: SecurityReading): boolean;
}

/** A number of the page that `per_page` and `page` name, opened into what it is made of. */
const explainSecurity = <Fact>(
  key: string,
  feature: Explanation['feature'],
  { metric, select, item, isPartial, isKnown }: ExplainedSecurity<Fact>,
): Explanation => ({
  key,
  feature,
  needs: ['org'],
  async explain(input, context, reply) {
    const { org = '', per_page: limit = 50, page = 1, severity, rule, age } = input;
    const filter = { severity, rule, age };
    const reading = await readSecurity({ org, limit: Math.min(limit, 50), page, ...filter }, context);
    const partial = reading.listing.partial || isPartial(reading);
    noteListing(reply, { ...reading.listing, partial });
    const answer = explainMetric(metric(reading), select(reading, filter), {
      window: null,
      partial,
      source: 'live',
      asOf: reading.listing.asOf,
      ...(feature === 'securityAlerts' && coverAlerts(reading)),
      // The sample world has no pages.
      item: (fact) => ({ ...item(fact, reading), ...(context.isDemo && { url: null }) }),
    });
    const named = [severity, rule, age && `open for more than ${age} days`].filter((one) => one !== undefined);
    return {
      ...answer,
      label: [answer.label, ...named].join(', '),
      value: isKnown(reading) ? answer.value : null,
    };
  },
});

const alertItem = ({ repository, alert }: RepositoryAlert, value: number | null): Item => ({
  label: `${repository.repo}: ${alert.title}`,
  url: alert.htmlUrl,
  at: alert.createdAt,
  value,
  note: [alert.severity, alert.subject].join(', '),
});

const findingItem = ({ repository, path, finding, htmlUrl }: RepositoryFinding): Item => ({
  label: `${repository.repo}: ${getRule(finding.ruleId).title} (${finding.line === null ? path : `${path}:${finding.line}`})`,
  url: htmlUrl,
  at: null,
  value: null,
  note: [finding.severity, finding.ruleId].join(', '),
});

const repositoryItem = ({ repository, open }: RepositoryAlerts): Item => ({
  label: repository.repo,
  url: repository.htmlUrl,
  at: null,
  value: open?.length ?? null,
  note: null,
});

const areAlertsPartial = ({ repositories }: SecurityReading) => repositories.some(({ isComplete }) => !isComplete);
const areAlertsKnown = ({ repositories }: SecurityReading) => repositories.some(({ open }) => open !== null);

const explainAlerts = (key: string, metric: (reading: SecurityReading) => Metric<RepositoryAlert>) =>
  explainSecurity(key, 'securityAlerts', {
    metric,
    select: filterAlerts,
    item: (fact, { now }) => alertItem(fact, key === 'org_oldest_security_alert' ? alertAge(fact.alert, now) : null),
    isPartial: areAlertsPartial,
    isKnown: areAlertsKnown,
  });

/** The headline numbers of an organization's security. */
export const organizationSecurityExplanations: readonly Explanation[] = [
  explainAlerts(organizationAlerts.key, () => organizationAlerts),
  explainAlerts(severeAlerts.key, () => severeAlerts),
  explainAlerts('org_oldest_security_alert', ({ now }) => oldestOrganizationAlert(now)),
  explainSecurity(affectedRepositories.key, 'securityAlerts', {
    metric: () => affectedRepositories,
    select: listRepositoryAlerts,
    item: repositoryItem,
    isPartial: areAlertsPartial,
    isKnown: areAlertsKnown,
  }),
  explainSecurity(severeFindings.key, 'securityScan', {
    metric: () => severeFindings,
    select: filterFindings,
    item: findingItem,
    isPartial: (reading) => pageScans(reading).isPartial,
    isKnown: (reading) => pageScans(reading).isKnown,
  }),
];
