import { DataCoverageLink } from '../../components/data-coverage-link.tsx';
import { Moment } from '../../components/moment.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { repositoryParams } from '../links.ts';
import { SyncedSummary } from '../synced-summary.tsx';
import type { Ci } from './views.ts';

type Covered = Pick<Ci, 'repos_included' | 'repos_visible' | 'synced_through' | 'partial' | 'org' | 'repo'>;

/** How much of the scope the figures rest on, in a few words; what that means is one click away. */
export function Coverage({ data, showsCost }: { data: Covered; showsCost: boolean }) {
  const { base } = usePageContext();
  const { repos_included: included, repos_visible: visible, synced_through: through, partial, org, repo } = data;
  if (base !== '' || included === 0) return null;
  const owner = repo === null ? org : repositoryParams(repo).owner;
  return (
    <details className="source">
      <SyncedSummary included={included} visible={visible} partial={partial} />
      {through === null ? null : (
        <p>
          Last synced <Moment at={through} />.
        </p>
      )}
      {partial ? (
        <p>Not every run of this range is stored yet, so counts are lower bounds. Rows with partial data say so.</p>
      ) : null}
      <p>
        Figures come from synced runs only.
        {showsCost ? ' Cost covers runs with job data, which is synced in the background, newest runs first.' : null}{' '}
        <DataCoverageLink
          scope={owner === null ? null : { owner, repo: repo === null ? null : repositoryParams(repo).repo }}
        />
      </p>
    </details>
  );
}
