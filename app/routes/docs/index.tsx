import type { Context } from '../../../server/access/context.ts';
import { namesOf } from '../../../server/http/page-context.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { Notice } from '../../components/notice.tsx';
import { Links } from '../../components/page.tsx';
import { Section } from '../../components/panel.tsx';
import type { Route } from './+types/index';
import { DocsPage } from './docs-page.tsx';
import { readCatalogue } from './metrics/catalogue.ts';
import { getEntries, maxQueryLength, metricEntries, operationEntries, searchDocs } from './search.ts';
import { SearchResults } from './search-results.tsx';
import { docsNavigation, forReaders, sections } from './sections.ts';

const listEntries = async (context: Context) => [
  ...sections().flatMap((section) => getEntries(forReaders(section, namesOf(context)))),
  ...metricEntries((await readCatalogue(context)).values()),
  ...operationEntries(),
];

/** Of each group; the others are in the side list. */
const shownLinks = 2;

export const handle = { isPlain: true };

export const loader = async ({ context, request }: Route.LoaderArgs) => {
  const requested = new URL(request.url).searchParams.get('q');
  const query = requested?.trim().slice(0, maxQueryLength) ?? null;
  const answer = query === null ? null : searchDocs(await listEntries(context.get(requestContext)), query);
  return {
    query,
    answer,
    navigation: docsNavigation(answer === null ? '/docs' : ''),
  };
};

/** What the documentation holds, or what a search in it found. */
export default function Docs({ loaderData: { query, answer, navigation } }: Route.ComponentProps) {
  if (answer !== null && query !== null)
    return (
      <DocsPage
        title="Search the documentation"
        lead="Chapters, metrics and API operations."
        navigation={navigation}
        query={query}
      >
        <SearchResults query={query} answer={answer} />
      </DocsPage>
    );
  return (
    <DocsPage
      title="Documentation"
      lead="How to run Delivery Analytics, and what its numbers mean."
      navigation={navigation}
      isChapter={false}
    >
      {query === null ? null : (
        <Notice title="Nothing to search for.">Enter a search term, such as a metric or a variable.</Notice>
      )}
      <p className="prose">
        New here? <a href="/demo">Try the demo</a> or <a href="/setup">sign in</a>.
      </p>
      <div className="docs-cards">
        {navigation.map(({ label, lead, links }) => (
          <Section key={label} title={label}>
            <p>{lead}</p>
            <Links links={links.filter(({ current }) => !current).slice(0, shownLinks)} />
          </Section>
        ))}
      </div>
    </DocsPage>
  );
}
