import { count } from '../../../server/domain/quantity.ts';
import { MetricCard, MetricCards } from '../../components/metric-card.tsx';
import { SeverityBar } from '../../components/severity-bar.tsx';
import { isUnlisted, type Security } from './labels.ts';

interface AnswerProps {
  data: Security;
  /** Where a number is opened, by its key. */
  evidence(metric: string): string;
  severityHref(severity: string): string;
  /** The choices of the page's address. */
  query: URLSearchParams;
}

/** What is open and how bad it is, in a few numbers; more may be open where not everything could be read. */
export function Answer({ data, evidence, severityHref, query }: AnswerProps) {
  const { summary, denied_features: denied } = data;
  const source = query.get('rule');
  const seesAlerts = !denied.includes('securityAlerts') && source !== 'workflows';
  // Findings have no age.
  const seesFindings = !denied.includes('securityScan') && !query.has('age') && [null, 'workflows'].includes(source);
  return (
    <>
      <MetricCards>
        {seesAlerts ? <AlertCards data={data} evidence={evidence} /> : null}
        {seesFindings ? (
          <MetricCard
            label="Severe workflow findings"
            value={{
              value: summary.severe_findings,
              unit: 'count',
              quality: summary.findings_at_least ? 'floor' : undefined,
              reason: 'No workflow file could be read.',
            }}
            evidenceHref={evidence('org_severe_workflow_findings')}
            note={`${repositories(summary.scanned_repos)} scanned`}
          />
        ) : null}
      </MetricCards>
      {seesAlerts && summary.open && summary.open_count ? (
        <SeverityBar counts={summary.open} href={severityHref} current={query.get('severity')} />
      ) : null}
    </>
  );
}

const repositories = (many: number) => count(many, 'repository', 'repositories');

function AlertCards({ data, evidence }: Pick<AnswerProps, 'data' | 'evidence'>) {
  const { summary } = data;
  const quality = summary.at_least ? ('floor' as const) : undefined;
  const reason = data.repos.some(isUnlisted) ? 'None listed; sources may be off.' : 'No source could be read.';
  return (
    <>
      <MetricCard
        label="Critical or high"
        value={{ value: summary.severe_count, unit: 'count', quality, reason }}
        evidenceHref={evidence('org_severe_security_alerts')}
      />
      <MetricCard
        label="Affected repositories"
        value={{ value: summary.affected_repos, unit: 'count', quality, reason }}
        evidenceHref={evidence('org_affected_repositories')}
      />
      <MetricCard
        label="Open alerts"
        value={{ value: summary.open_count, unit: 'count', quality, reason }}
        evidenceHref={evidence('org_open_security_alerts')}
      />
      <MetricCard
        label="Oldest open alert"
        value={{
          value: summary.oldest_open_days,
          unit: 'days',
          reason: summary.open_count === 0 ? 'No alert is open.' : reason,
        }}
        evidenceHref={summary.oldest_open_days === null ? undefined : evidence('org_oldest_security_alert')}
      />
    </>
  );
}
