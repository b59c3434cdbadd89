import { Fragment } from 'react';
import { count, figures } from '../../../server/domain/quantity.ts';
import { withChoices } from '../../components/choices.ts';
import { usePageContext } from '../../components/page-context.ts';
import { clearedHref, hasChoice } from './choices.ts';
import { alertSources, type Security, sourceNames } from './labels.ts';

interface CoverageProps {
  data: Security;
  /** The choices of the page's address. */
  query: URLSearchParams;
}

const repositories = (many: number) => count(many, 'repository', 'repositories');

/** How many repositories were read of how many; what is not known, why, and what helps is one click away. */
export function Coverage({ data, query }: CoverageProps) {
  const { summary, total_repos: total, archived_repos: archived } = data;
  const reached = data.denied_features.includes('securityAlerts') ? data.read_repos : summary.known_repos;
  return (
    <details className="source">
      <summary>{`Covers ${figures(reached)} of ${repositories(total)}`}</summary>
      <p>
        Alerts are about dependencies, code and secrets; severe findings are critical or high.
        {archived > 0 ? ` Archived repositories are excluded: ${figures(archived)}.` : null}
      </p>
      {reached < total ? <NotCovered data={data} query={query} many={total - reached} /> : null}
      {summary.unreadable_repos > 0 ? (
        <InState state="unreadable" data={data} query={query}>
          {`${figures(summary.unreadable_repos)} with sources not readable`}
        </InState>
      ) : null}
      {summary.not_enabled_sources > 0 ? (
        <InState state="not_enabled" data={data} query={query}>
          {`${count(summary.not_enabled_sources, 'source')} not enabled`}
        </InState>
      ) : null}
      <Denied data={data} />
    </details>
  );
}

const maxNamed = 5;

/** The repositories of which no alert is known; among the choices made, the way to them. */
function NotCovered({ data, query, many }: CoverageProps & { many: number }) {
  const { base } = usePageContext();
  const named = data.repos.filter(({ open, sources }) => open === null && sources !== null).slice(0, maxNamed);
  if (named.length === 0) {
    const text = `Not covered: ${repositories(many)}`;
    return <p>{hasChoice(query) ? <a href={`${clearedHref(query)}#repositories`}>{text}</a> : text}</p>;
  }
  return (
    <p>
      {'Not covered: '}
      {named.map(({ owner, repo }, index) => (
        <Fragment key={repo}>
          {index > 0 ? ', ' : null}
          <a href={`${base}/repos/${owner}/${repo}/security`}>{repo}</a>
        </Fragment>
      ))}
      {many > named.length ? ` and ${figures(many - named.length)} more` : null}
    </p>
  );
}

interface InStateProps extends CoverageProps {
  state: Security['facets']['state'][number]['value'];
  children: string;
}

/** The repositories in a state, opened where the choices made leave any. A state chooses among those of the page. */
function InState({ state, data, query, children }: InStateProps) {
  const leaves = data.facets.state.some(({ value, repos }) => value === state && repos > 0);
  const href = withChoices(query, { state, page: query.get('page') });
  return <p>{leaves ? <a href={href}>{children}</a> : children}</p>;
}

/** What the token may not read, and which one may. */
function Denied({ data: { listing, pages, needs_scope: needsScope } }: Pick<CoverageProps, 'data'>) {
  const denied = listing ? alertSources.filter((source) => listing[source] === 'repositories') : [];
  return (
    <>
      {denied.length > 0 && pages > 1 ? (
        <p>
          {`Your token may not read the organization’s alerts about ${denied.map((source) => sourceNames[source].toLowerCase()).join(', ')}: they are known for the repositories on this page only. Owners and security managers may read them all.`}
        </p>
      ) : null}
      {needsScope ? (
        <p>
          Some alerts are refused to your token: a classic token needs <code>security_events</code>, a fine-grained one
          read permission for each kind of alert.
        </p>
      ) : null}
    </>
  );
}
