import { count } from '../../../server/domain/quantity.ts';
import { Badge } from '../../components/badge.tsx';
import { ItemList } from '../../components/item-list.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Section } from '../../components/panel.tsx';
import type { Rule, Security } from '../security/labels.ts';
import type { Advisories } from './advisories.ts';

const maxShown = 3;
const title = 'Critical advisories';

/** Which packages must be updated now, or why that is not known; nothing where none must. */
export function CriticalAdvisories({ found }: { found: Advisories }) {
  const { base } = usePageContext();
  if (found === null) return null;
  if (found.state === 'read') return <Known data={found.data} />;
  const org = found.state === 'unread' ? found.org : null;
  const security = `${base}/security${org === null ? '' : `?${new URLSearchParams({ org })}`}`;
  return (
    <Section title={title} aside={<a href={security}>Security</a>}>
      <p>{found.state === 'unread' ? 'Could not be read.' : 'Choose an organization.'}</p>
    </Section>
  );
}

/** How many repositories are open to each, and what helps. */
function Known({ data }: { data: Security }) {
  const { base } = usePageContext();
  const rules = data.facets.rule;
  const href = (rule: string) => `${base}/security?${new URLSearchParams({ org: data.org, rule })}`;
  const aside = <a href={`${href('dependabot')}&severity=critical`}>All alerts</a>;
  if (rules.length === 0)
    return isReadWhole(data) ? null : (
      <Section title={title} aside={aside}>
        <p>None found; not every repository could be read.</p>
      </Section>
    );
  return (
    <Section title={title} aside={aside}>
      <ItemList
        items={rules.slice(0, maxShown).map((rule) => ({
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

/** Whether no alert can be open that is not known. */
const isReadWhole = ({ listing, summary, partial }: Security) =>
  (listing?.dependabot === 'organization' && !partial) || (listing?.dependabot === 'repositories' && !summary.at_least);

function describeReach(rule: Rule, { summary, repos }: Security): string {
  const reach = `${summary.at_least ? 'at least ' : ''}${count(rule.repos, 'repository', 'repositories')}`;
  const alerts = repos
    .flatMap(({ alerts: worst }) => worst)
    .filter((one) => one.subject === rule.subject && one.title === rule.title);
  const versions = [...new Set(alerts.flatMap(({ patched_version: version }) => version ?? []))];
  return versions.length === 0 ? reach : `${reach}, update to ${versions.join(' or ')}`;
}
