import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { serviceVersion } from '../../../server/domain/service-version.ts';
import { Links, Page, type PageLink } from '../../components/page.tsx';
import { HiddenParams } from '../../components/shared-params.tsx';
import type { NavigationGroup } from './sections.ts';

interface DocsPageProps {
  title: string;
  lead: string;
  navigation: readonly NavigationGroup[];
  /** What was searched for. */
  query?: string;
  actions?: ReactNode;
  /** Whether this is a page below the overview. */
  isChapter?: boolean;
  /** Pages between the overview and this one. */
  parents?: readonly PageLink[];
  children: ReactNode;
}

/**
 * A page of the documentation: the search and the list of chapters beside it, open where this page is, and under it the
 * version of the service.
 */
export function DocsPage({
  title,
  lead,
  navigation,
  query = '',
  actions,
  isChapter = true,
  parents = [],
  children,
}: DocsPageProps) {
  const { search } = useLocation();
  const isOpen = (links: readonly PageLink[]) => links.some(({ current }) => current);
  return (
    <Page
      title={title}
      lead={lead}
      breadcrumbs={isChapter ? [{ label: 'Documentation', href: '/docs' }, ...parents] : []}
      actions={actions}
    >
      <div className="docs">
        <div className="docs-side">
          <search>
            <form action="/docs" className="docs-search">
              <input
                name="q"
                type="search"
                aria-label="Search the documentation"
                defaultValue={query}
                maxLength={100}
              />
              <HiddenParams search={search} besides={['q']} />
              <button type="submit">Search</button>
            </form>
          </search>
          <details className="docs-menu">
            <summary>Chapters</summary>
            <nav aria-label="Documentation">
              {navigation.map(({ label, links }) => (
                <details key={label} open={isOpen(links)}>
                  <summary>{label}</summary>
                  <Links links={links} />
                </details>
              ))}
            </nav>
          </details>
        </div>
        <div className="docs-content">
          {children}
          <p className="muted">Version {serviceVersion}</p>
        </div>
      </div>
    </Page>
  );
}
