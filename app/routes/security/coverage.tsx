import { count, figures } from '../../../server/domain/quantity.ts';
import { alertSources, type Security, sourceNames } from './labels.ts';

interface CoverageProps {
  data: Security;
}

const repositories = (many: number) => count(many, 'repository', 'repositories');

/** How many repositories were read of how many; what is not known, why, and what helps is one click away. */
export function Coverage({ data }: CoverageProps) {
  const { org, summary, total_repos: total, archived_repos: archived } = data;
  const reached = data.denied_features.includes('securityAlerts') ? data.read_repos : summary.known_repos;
  const stateHref = (state: string) => `?${new URLSearchParams({ org, state })}`;
  return (
    <details className="source">
      <summary>{`Coverage: ${figures(reached)} of ${repositories(total)}`}</summary>
      <p>
        Alerts are about dependencies, code and secrets; severe findings are critical or high.
        {archived > 0 ? ` Archived repositories are excluded: ${figures(archived)}.` : null}
      </p>
      {summary.unreadable_repos > 0 ? (
        <p>
          <a href={stateHref('unreadable')}>{`${figures(summary.unreadable_repos)} with sources not readable`}</a>
        </p>
      ) : null}
      {summary.not_enabled_sources > 0 ? (
        <p>
          <a href={stateHref('not_enabled')}>{`${count(summary.not_enabled_sources, 'source')} not enabled`}</a>
        </p>
      ) : null}
      <Denied data={data} />
    </details>
  );
}

/** What the token may not read, and which one may. */
function Denied({ data: { listing, pages, needs_scope: needsScope } }: CoverageProps) {
  const denied = listing ? alertSources.filter((source) => listing[source] === 'repositories') : [];
  return (
    <>
      {denied.length > 0 && pages > 1 ? (
        <p>
          {`Your token may not read the organization’s alerts about ${denied.map((source) => sourceNames[source].toLowerCase()).join(', ')}: they are known for the repositories on this page only. Owners and security managers may read them all.`}
        </p>
      ) : null}
      {needsScope ? (
        <p>
          Some alerts are refused to your token: a classic token needs <code>security_events</code>, a fine-grained one
          read permission for each kind of alert.
        </p>
      ) : null}
    </>
  );
}
