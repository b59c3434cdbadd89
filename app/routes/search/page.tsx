import { useLocation } from 'react-router';
import { panel } from '../../../server/http/adapters.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { search as searchNames } from '../../../server/reports/search/operations.ts';
import { Empty } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Section } from '../../components/panel.tsx';
import { PanelFailure } from '../../components/panel-failure.tsx';
import { HiddenParams } from '../../components/shared-params.tsx';
import type { Route } from './+types/page';
import { findPlaces } from './found-places.ts';
import { groupNames } from './groups.ts';
import { Keys } from './keys.tsx';
import { SearchResults } from './results.tsx';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const request = context.get(requestContext);
  const q = (request.url.searchParams.get('q') ?? '').trim();
  const found = q === '' ? null : await panel(searchNames, { context: request, params, extra: { q } });
  return { q, found };
};

/** Everything that can be opened, by a part of its name; the palette of the other pages shows what stands here. */
export default function SearchPage({ loaderData: { q, found } }: Route.ComponentProps) {
  const pageContext = usePageContext();
  const { search } = useLocation();
  const groups = [
    ...findPlaces(q, pageContext, search),
    ...(found?.ok ? groupNames(found.data, pageContext, search) : []),
  ];
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
      {found && !found.ok ? (
        <PanelFailure problem={found.problem} now={pageContext.now} zone={pageContext.zone} />
      ) : null}
      <SearchResults groups={groups} />
      {groups.length === 0 && (found === null || found.ok) ? (
        <Empty
          cause={`Nothing found for “${q}”.`}
          next={{ label: 'Search the documentation', href: `/docs?${new URLSearchParams({ q })}` }}
        />
      ) : null}
      <Section title="Keys">
        <Keys />
      </Section>
    </Page>
  );
}
