import type { ReactNode } from 'react';
import { Links, Page } from '../../components/page.tsx';
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
  children: ReactNode;
}

/** A page of the documentation: the search and the list of chapters beside it. */
export function DocsPage({ title, lead, navigation, query = '', actions, isChapter = true, children }: DocsPageProps) {
  return (
    <Page
      title={title}
      lead={lead}
      breadcrumbs={isChapter ? [{ label: 'Documentation', href: '/docs' }] : []}
      actions={actions}
    >
      <div className="docs">
        <div className="docs-side">
          <search>
            <form action="/docs" className="docs-search">
              <label htmlFor="docs-query">Search the documentation</label>
              <input id="docs-query" name="q" type="search" defaultValue={query} maxLength={100} />
              <button type="submit">Search</button>
            </form>
          </search>
          <details className="docs-menu">
            <summary>Chapters</summary>
            <nav aria-label="Documentation">
              {navigation.map(({ label, links }) => (
                <div key={label}>
                  <h2>{label}</h2>
                  <Links links={links} />
                </div>
              ))}
            </nav>
          </details>
        </div>
        <div className="docs-content">{children}</div>
      </div>
    </Page>
  );
}
