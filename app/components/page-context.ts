import { createContext, useContext } from 'react';
import { useLocation, useRouteLoaderData } from 'react-router';
import type { PageContext } from '../../server/http/page-context.ts';

interface Snapshot extends Pick<PageContext, 'now' | 'zone'> {
  /** The query of its page. */
  search: string;
}

const SnapshotContext = createContext<Snapshot | null>(null);

/** Around what was taken earlier: ages are those of then, whenever it is looked at, and choices those of its page. */
export const SnapshotOfPage = SnapshotContext.Provider;

/** The query of the page, which a snapshot has from then. */
export function useSearch(): string {
  const { search } = useLocation();
  return useContext(SnapshotContext)?.search ?? search;
}

/** What the root loader read for every page. */
export function usePageContext(): PageContext {
  const pageContext = useRouteLoaderData<PageContext>('root');
  const taken = useContext(SnapshotContext);
  if (!pageContext) throw new Error('a page is drawn inside the root');
  return taken ? { ...pageContext, now: taken.now, zone: taken.zone } : pageContext;
}

/** Whether an owner has pages of an organization that the reader may open; the reader's own account is none. */
export const hasOrganizationPages = (owner: string, { account, pages }: PageContext): boolean =>
  pages.includes('org/:org') && owner.toLowerCase() !== account?.login.toLowerCase();

/** Whether the reader may start a sync on the page of reports. */
export function useCanSync(): boolean {
  const { base, hasDatabase, pages, features } = usePageContext();
  return base === '' && hasDatabase && pages.includes('reports') && features.includes('dataSync');
}
