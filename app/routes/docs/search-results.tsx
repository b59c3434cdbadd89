import { Section } from '../../components/panel.tsx';
import { SharedParamsLink } from '../../components/shared-params.tsx';
import type { SearchAnswer, SearchResult } from './search.ts';

/** What a search found, the best first; or what to try where it found nothing. */
export function SearchResults({ query, answer }: { query: string; answer: SearchAnswer }) {
  const { results, total, hasAllWords } = answer;
  if (total === 0) return <NoResults query={query} />;
  return (
    <Section title={`${total === 1 ? '1 result' : `${total} results`} for “${query}”`}>
      {hasAllWords ? null : <p className="muted">No results for all words. Showing partial matches.</p>}
      <ol className="results">
        {results.map((result) => (
          <Result key={`${result.href} ${result.excerpt.join('')}`} result={result} />
        ))}
      </ol>
      {total > results.length ? (
        <p className="muted">Showing the first {results.length}. Add a word to narrow the results.</p>
      ) : null}
    </Section>
  );
}

function Result({ result: { title, heading, href, excerpt } }: { result: SearchResult }) {
  return (
    <li>
      <h3>
        <SharedParamsLink href={href}>
          {title}
          {heading === null ? null : ` › ${heading}`}
        </SharedParamsLink>
      </h3>
      {/* Every second part is a match. */}
      <p>
        {excerpt.map((part, index) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of an excerpt never change their order.
          index % 2 === 1 ? <mark key={index}>{part}</mark> : part,
        )}
      </p>
    </li>
  );
}

function NoResults({ query }: { query: string }) {
  return (
    <Section title={`No results for “${query}”`}>
      <p className="prose">
        Try another term, or the name of a metric or variable, such as <a href="/docs?q=lead+time">lead time</a> or{' '}
        <a href="/docs?q=DATABASE_URL">DATABASE_URL</a>. All chapters are in the list.
      </p>
    </Section>
  );
}
