import { useLocation } from 'react-router';
import type { PanelsOf } from '../../../server/http/adapters.ts';
import { deferPanels } from '../../../server/http/deferred-panels.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { search as searchNames } from '../../../server/reports/search/operations.ts';
import { Empty } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Section } from '../../components/panel.tsx';
import { PanelFailure } from '../../components/panel-failure.tsx';
import { HiddenParams } from '../../components/shared-params.tsx';
import { Skeleton, WhenReady } from '../../components/skeleton.tsx';
import { docsNavigation } from '../docs/sections.ts';
import type { Route } from './+types/page';
import { findPlaces } from './found-places.ts';
import { groupNames } from './groups.ts';
import { Keys } from './keys.tsx';
import { SearchResults } from './results.tsx';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const request = context.get(requestContext);
  const q = (request.url.searchParams.get('q') ?? '').trim();
  const answers =
    q === '' ? null : await deferPanels({ context: request, params, extra: { q } }, { found: searchNames });
  const chapters = q === '' ? [] : docsNavigation('').flatMap(({ links }) => links);
  return { q, panels: answers?.panels ?? null, chapters };
};

/** Everything that can be opened, by a part of its name; the palette of the other pages shows what stands here. */
export default function SearchPage({ loaderData: { q, panels, chapters } }: Route.ComponentProps) {
  const pageContext = usePageContext();
  const { search } = useLocation();
  const places = findPlaces(q, pageContext, search, chapters);
  return (
    <Page title="Search" description="Pages, repositories, workflows and people by name.">
      <search>
        <form method="get" className="search-form">
          <HiddenParams search={search} besides={['q']} />
          <input
            type="search"
            name="q"
            defaultValue={q}
            aria-label="Name"
            placeholder="Page, repository, workflow, person"
          />
          <button type="submit">Search</button>
        </form>
      </search>
      <SearchResults groups={places} />
      {panels ? (
        <WhenReady data={panels} fallback={<Skeleton label="Searching" />}>
          {({ found }) => <Names found={found} q={q} isAlone={places.length === 0} />}
        </WhenReady>
      ) : null}
      <Section title="Keys">
        <Keys />
      </Section>
    </Page>
  );
}

interface NamesProps {
  found: PanelsOf<{ found: typeof searchNames }>['found'];
  q: string;
  /** Whether no page has such a name. */
  isAlone: boolean;
}

function Names({ found, q, isAlone }: NamesProps) {
  const pageContext = usePageContext();
  const { search } = useLocation();
  if (!found.ok) return <PanelFailure problem={found.problem} />;
  const groups = groupNames(found.data, pageContext, search);
  if (groups.length > 0 || !isAlone) return <SearchResults groups={groups} />;
  return (
    <Empty
      cause={`Nothing found for “${q}”.`}
      next={{ label: 'Search the documentation', href: `/docs?${new URLSearchParams({ q })}` }}
    />
  );
}
