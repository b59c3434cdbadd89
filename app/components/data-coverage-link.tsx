import { ActionLink } from '../charts/link.tsx';
import { PastMoment } from './moment.tsx';
import { usePageContext } from './page-context.ts';

interface Scope {
  owner: string;
  /** null for all repositories of the owner. */
  repo: string | null;
}

/** The page of reports of an organization or a repository; of the first organization without a scope. */
export function reportsHref(scope: Scope | null): string {
  if (scope === null) return '/reports';
  const { owner, repo } = scope;
  return `/reports?${new URLSearchParams(repo === null ? { org: owner } : { repo: `${owner}/${repo}` })}`;
}

/** Leads to what has been read of a repository or an owner, or to their choice; nothing for whoever may not open it. */
export function DataCoverageLink({ scope }: { scope: Scope | null }) {
  const { base, pages, hasDatabase } = usePageContext();
  if (base !== '' || !hasDatabase || !pages.includes('reports')) return null;
  return <ActionLink href={`${reportsHref(scope)}#read`}>Data coverage</ActionLink>;
}

/** Under numbers that rest on stored facts: what the platform held when they were read. */
export function FactsAsOf({ at, owner, repo }: Scope & { at: string }) {
  const { base } = usePageContext();
  if (base !== '') return null;
  return (
    <p className="source">
      Data as of <PastMoment at={at} />. <DataCoverageLink scope={{ owner, repo }} />
    </p>
  );
}
