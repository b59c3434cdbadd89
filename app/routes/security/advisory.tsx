import { count } from '../../../server/domain/quantity.ts';
import { Badge } from '../../components/badge.tsx';
import { Facts } from '../../components/facts.tsx';
import { Measurement } from '../../components/measurement.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { type Rule, type Security, severityStatus, sourceNames } from './labels.ts';

interface ChosenRuleProps {
  rule: Rule;
  data: Security;
  clearHref: string;
}

/** The advisory or rule that is chosen: what it is about, how far it reaches, and what helps. */
export function ChosenRule({ rule, data, clearHref }: ChosenRuleProps) {
  const { base, webUrl } = usePageContext();
  const isAdvisory = /^GHSA-/i.test(rule.value);
  return (
    <>
      <Facts
        facts={[
          {
            label: 'Severity',
            value: <Badge status={severityStatus[rule.severity]}>{rule.severity}</Badge>,
          },
          { label: rule.source === 'dependabot' ? 'Package' : 'Rule', value: rule.subject ?? rule.value },
          ...(rule.source === 'dependabot' ? [{ label: 'Fix', value: describeFix(data) }] : []),
          { label: 'Open in', value: count(rule.repos, 'repository', 'repositories') },
          {
            label: 'Oldest',
            value: (
              <Measurement
                value={{
                  value: rule.oldest_open_days,
                  unit: 'days',
                  reason: 'Findings in workflow files have no age.',
                }}
              />
            ),
          },
          ...(isAdvisory
            ? [
                {
                  label: 'Advisory',
                  value: base ? rule.value : <a href={`${webUrl}/advisories/${rule.value}`}>{rule.value}</a>,
                },
              ]
            : []),
        ]}
      />
      {rule.source === 'workflows' ? null : (
        <p className="source">
          {`Repositories whose alerts about ${sourceNames[rule.source].toLowerCase()} are off or not readable may be affected and are not counted.`}
        </p>
      )}
      <p>
        <a href={clearHref}>All advisories and rules</a>
      </p>
    </>
  );
}

/** Which versions are without it; where repositories are on different releases, all of them. */
function describeFix({ repos }: Security): string {
  const alerts = repos.flatMap(({ alerts: named }) => named);
  const versions = [...new Set(alerts.flatMap(({ patched_version: version }) => version ?? []))];
  const unfixed = alerts.filter(({ fix_available: fix }) => fix === false).length;
  if (versions.length === 0) return unfixed > 0 ? 'None yet' : 'Not reported';
  return `Update to ${versions.join(' or ')}${unfixed > 0 ? `, none yet for ${count(unfixed, 'alert')}` : ''}`;
}
