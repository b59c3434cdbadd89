import type { Deployments } from '../repo/deployments.tsx';
import { DeploymentPanels } from '../repo/deployments-panels.tsx';

interface SharedPartsProps {
  /** The address of the page that was shared. */
  page: string;
  /** By the names that the page has for them; each holds what its operation shares. */
  answers: Record<string, unknown>;
}

/** What was shared of a page, drawn by the page's own parts. */
export function SharedParts({ page, answers }: SharedPartsProps) {
  const { pathname, search } = new URL(page, 'http://page');
  const [, , owner = '', repo = ''] = pathname.split('/').map(decodeURIComponent);
  const deployments = answers.deployments as Deployments;
  return (
    <>
      <title>{`Deployments · ${owner}/${repo}`}</title>
      <h1>{`Deployments of ${owner}/${repo}`}</h1>
      <DeploymentPanels
        result={{ ok: true, data: deployments, notes: { ...unnoted, partial: deployments.partial } }}
        repository={{ owner, repo }}
        search={search}
        isShared
      />
    </>
  );
}

const unnoted = { partialReason: null, stale: false, asOf: null, source: null, canonicalRepo: null };
