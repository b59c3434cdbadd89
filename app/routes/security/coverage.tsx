import { count, figures } from '../../../server/domain/quantity.ts';
import { alertSources, type Security, sourceNames } from './labels.ts';

interface CoverageProps {
  data: Security;
}

const repositories = (many: number) => count(many, 'repository', 'repositories');

/** How many repositories were read of how many, and where something is not known. */
export function Coverage({ data }: CoverageProps) {
  const { org, summary, total_repos: total, archived_repos: archived } = data;
  const reached = data.denied_features.includes('securityAlerts') ? data.read_repos : summary.known_repos;
  const stateHref = (state: string) => `?${new URLSearchParams({ org, state })}`;
  return (
    <p className="source">
      {`${figures(reached)} of ${repositories(total)} read`}
      {archived > 0 ? `, ${figures(archived)} archived excluded` : ''}
      {summary.unreadable_repos > 0 ? (
        <>
          {' · '}
          <a href={stateHref('unreadable')}>{`${figures(summary.unreadable_repos)} with sources not readable`}</a>
        </>
      ) : null}
      {summary.not_enabled_sources > 0 ? (
        <>
          {' · '}
          <a href={stateHref('not_enabled')}>{`${count(summary.not_enabled_sources, 'source')} not enabled`}</a>
        </>
      ) : null}
    </p>
  );
}

/** Why more may be open than is counted, and what helps. */
export function WhatIsMissing({ data }: CoverageProps) {
  const { listing, pages, needs_scope: needsScope } = data;
  const denied = listing ? alertSources.filter((source) => listing[source] === 'repositories') : [];
  const isSplit = denied.length > 0 && pages > 1;
  return (
    <>
      Not every source could be read, so more may be open.
      {isSplit
        ? ` Your token may not read the organization’s alerts about ${denied.map((source) => sourceNames[source].toLowerCase()).join(', ')}: they are known for the repositories on this page only. Owners and security managers may read them all.`
        : null}
      {needsScope ? (
        <>
          {' '}
          Some alerts are refused to your token: a classic token needs <code>security_events</code>, a fine-grained one
          read permission for each kind of alert.
        </>
      ) : null}
    </>
  );
}
