import { count } from '../../../server/domain/quantity.ts';
import { Badge } from '../../components/badge.tsx';
import { ItemList } from '../../components/item-list.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Section } from '../../components/panel.tsx';
import type { Rule, Security } from '../security/labels.ts';

const maxShown = 3;

/** Which packages must be updated now, how many repositories are open to it, and what helps; nothing where none is. */
export function CriticalAdvisories({ data }: { data: Security | null }) {
  const { base } = usePageContext();
  if (!data || data.facets.rule.length === 0) return null;
  const href = (rule: string) => `${base}/security?${new URLSearchParams({ org: data.org, rule })}`;
  return (
    <Section title="Critical advisories" aside={<a href={`${href('dependabot')}&severity=critical`}>All alerts</a>}>
      <ItemList
        items={data.facets.rule.slice(0, maxShown).map((rule) => ({
          key: rule.value,
          name: (
            <>
              <Badge status="fail">critical</Badge> <a href={href(rule.value)}>{rule.subject ?? rule.title}</a>
            </>
          ),
          detail: describeReach(rule, data),
        }))}
      />
    </Section>
  );
}

function describeReach(rule: Rule, { summary, repos }: Security): string {
  const reach = `${summary.at_least ? 'at least ' : ''}${count(rule.repos, 'repository', 'repositories')}`;
  const alerts = repos
    .flatMap(({ alerts: worst }) => worst)
    .filter((one) => one.subject === rule.subject && one.title === rule.title);
  const versions = [...new Set(alerts.flatMap(({ patched_version: version }) => version ?? []))];
  return versions.length === 0 ? reach : `${reach}, update to ${versions.join(' or ')}`;
}
