import { count, figures } from '../../server/domain/quantity.ts';
import { Moment } from './moment.tsx';
import { usePageContext } from './page-context.ts';

/** How fresh the stored runs of the page's scope are, and how many are not; nothing where none are stored. */
export function SyncState() {
  const { sync, pages } = usePageContext();
  if (!sync) return null;
  return (
    <a href={pages.includes('reports') ? '/reports#sync' : undefined}>
      {sync.isOfAll ? 'All repositories: ' : null}
      <State sync={sync} />
    </a>
  );
}

type Sync = NonNullable<ReturnType<typeof usePageContext>['sync']>;

function State({ sync: { repositories, running, syncedThrough, behind } }: { sync: Sync }) {
  if (running > 0)
    return `Syncing ${repositories === 1 ? '' : `${figures(running)} of `}${count(repositories, 'repository', 'repositories')}`;
  if (syncedThrough === null) return 'Not synced yet';
  if (behind > 0 && repositories > 1) return `Synced ${figures(repositories - behind)} of ${figures(repositories)}`;
  return (
    <>
      Synced <Moment at={syncedThrough} as="short" />
    </>
  );
}
