import { count, figures } from '../../../server/domain/quantity.ts';
import { withChoices } from '../../components/choices.ts';
import { Notice } from '../../components/notice.tsx';
import { type Security, sourceNames } from './labels.ts';

interface CoverageProps {
  data: Security;
  search: string;
}

const repositories = (many: number) => count(many, 'repository', 'repositories');

/** How many repositories were read of how many, and what could not be. */
export function Coverage({ data, search }: CoverageProps) {
  const { summary, total_repos: total, archived_repos: archived } = data;
  const reached = data.denied_features.includes('securityAlerts') ? data.read_repos : summary.known_repos;
  return (
    <>
      <p className="source">
        {`${figures(reached)} of ${repositories(total)} read`}
        {archived > 0 ? `, ${figures(archived)} archived excluded` : ''}
        {summary.unreadable_repos > 0 ? (
          <>
            {' · '}
            <a href={withChoices(search, { state: 'unreadable' })}>
              {`${figures(summary.unreadable_repos)} with sources that could not be read`}
            </a>
          </>
        ) : null}
        {summary.not_enabled_sources > 0 ? (
          <>
            {' · '}
            <a href={withChoices(search, { state: 'not_enabled' })}>
              {`${count(summary.not_enabled_sources, 'source')} not enabled`}
            </a>
          </>
        ) : null}
      </p>
      <ByRepository data={data} />
    </>
  );
}

/** Where the organization's own lists are refused, alerts are known of the repositories of the page alone. */
function ByRepository({ data }: Pick<CoverageProps, 'data'>) {
  const { listing, pages, needs_scope: needsScope } = data;
  if (!listing) return null;
  const denied = (['dependabot', 'code_scanning', 'secret_scanning'] as const).filter(
    (source) => listing[source] === 'repositories',
  );
  const isSplit = denied.length > 0 && pages > 1;
  if (!isSplit && !needsScope) return null;
  return (
    <Notice tone="partial" title={isSplit ? 'This page only.' : 'Access.'}>
      {isSplit
        ? `Your token may not read the organization’s list of alerts about ${denied.map((source) => sourceNames[source].toLowerCase()).join(', ')}, so these are known for the repositories on this page. Organization owners and security managers may read it. `
        : ''}
      {needsScope ? (
        <>
          Some alerts are refused to your token: a classic one needs <code>security_events</code>, a fine-grained one
          the read permission for each kind of alert.
        </>
      ) : null}
    </Notice>
  );
}
