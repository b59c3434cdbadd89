import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/panel.tsx';
import type { Route } from './+types/index';
import { DocsPage } from './docs-page.tsx';
import { getEntries, maxQueryLength, operationEntries, searchDocs } from './search.ts';
import { SearchResults } from './search-results.tsx';
import { docsNavigation, sectionGroups, sections } from './sections.ts';

const entries = () => [...sections.flatMap(getEntries), ...operationEntries()];

export const handle = { isPlain: true };

export const loader = ({ request }: Route.LoaderArgs) => {
  const requested = new URL(request.url).searchParams.get('q');
  const query = requested?.trim().slice(0, maxQueryLength) ?? null;
  const answer = query === null ? null : searchDocs(entries(), query);
  return {
    query,
    answer,
    navigation: docsNavigation(answer === null ? '/docs' : ''),
    groups: sectionGroups.map((group) => ({
      label: group.label,
      sections: group.sections.map(({ key, title, lead }) => ({ key, title, lead })),
    })),
  };
};

/** What the documentation holds, or what a search in it found. */
export default function Docs({ loaderData: { query, answer, navigation, groups } }: Route.ComponentProps) {
  if (answer !== null && query !== null)
    return (
      <DocsPage
        title="Search the documentation"
        lead="Chapters, metric definitions and API operations."
        navigation={navigation}
        query={query}
      >
        <SearchResults query={query} answer={answer} />
      </DocsPage>
    );
  return (
    <DocsPage
      title="Documentation"
      lead="Delivery Analytics turns workflow runs, pull requests, deployments, commits and issues from GitHub into delivery metrics."
      navigation={navigation}
      isChapter={false}
    >
      {query === null ? null : (
        <Notice title="Nothing to search for.">Enter a search term, such as a metric or a variable.</Notice>
      )}
      <p className="prose">
        New here? <a href="/demo">Try the demo</a> or <a href="/setup">sign in</a>.
      </p>
      {groups.map(({ label, sections: chapters }) => (
        <Section key={label} title={label}>
          <ul className="prose">
            {chapters.map(({ key, title, lead }) => (
              <li key={key}>
                <a href={`/docs/${key}`}>{title}</a>: {lead}
              </li>
            ))}
          </ul>
        </Section>
      ))}
    </DocsPage>
  );
}
