import { useLocation } from 'react-router';
import { figures } from '../../../server/domain/quantity.ts';
import { withChoices } from '../../components/choices.ts';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Moment } from '../../components/moment.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Pager } from '../../components/pager.tsx';
import { Panel, type PanelAnswer, Section } from '../../components/panel.tsx';
import { explainHref } from '../links.ts';
import { Answer } from './answer.tsx';
import { choiceNames, facetFilters, hasChoice, isSource } from './choices.ts';
import { Coverage } from './coverage.tsx';
import type { Security } from './labels.ts';
import { SecurityTable } from './repositories.tsx';
import { Rules } from './rules.tsx';

interface Props {
  result: PanelAnswer<Security>;
  org: string;
  /** The choices of the page's address. */
  search: string;
}

/** What is open in an organization: the answer, the choices, the rules and the repositories. */
export function OrganizationSecurity({ result, org, search }: Props) {
  const { now, zone, base } = usePageContext();
  const { pathname } = useLocation();
  const query = new URLSearchParams(search);
  const [severity, rule, age] = ['severity', 'rule', 'age'].map((name) => query.get(name));
  return (
    <>
      <Panel
        title="Open alerts"
        result={result}
        now={now}
        zone={zone}
        whenPartial="Not every source could be read in full: there may be more than is counted here."
        retryHref={`${pathname}${search}`}
        aside={result.ok ? <AsOf data={result.data} /> : null}
      >
        {(data) => (
          <>
            <Answer
              data={data}
              severity={severity ?? null}
              severityHref={(one) => withChoices(search, { severity: one })}
              evidence={(metric) =>
                explainHref(base, { metric, org, per_page: data.limit, page: data.page, severity, rule, age })
              }
            />
            <Coverage data={data} search={search} />
          </>
        )}
      </Panel>
      {result.ok ? <Found data={result.data} org={org} search={search} query={query} /> : null}
    </>
  );
}

function AsOf({ data }: { data: Security }) {
  const { now, zone } = usePageContext();
  return (
    <span className="muted">
      as of <Moment at={Math.min(Date.parse(data.generated_at), now)} now={now} zone={zone} />
    </span>
  );
}

interface FoundProps {
  data: Security;
  org: string;
  search: string;
  query: URLSearchParams;
}

function Found({ data, org, search, query }: FoundProps) {
  const { base } = usePageContext();
  const rule = query.get('rule');
  const { facets, page, pages, limit, listed_repos: listed } = data;
  return (
    <>
      <FilterBar search={search} label="Filter" filters={facetFilters(facets, query)} note="Counts are repositories." />
      {(rule === null || isSource(rule)) && facets.rule.length > 0 ? (
        <Section title="Advisories and rules">
          <Rules rules={facets.rule} search={search} />
        </Section>
      ) : null}
      <Section title="Repositories" id="repositories">
        <SecurityTable
          data={data}
          repositoryQuery={chosen(query, ['severity', 'rule', 'age'])}
          csvHref={base ? undefined : csvHref(data, query)}
          empty={describeNothing(data, query, org)}
        />
        {pages > 1 ? (
          <Pager
            from={(page - 1) * limit + 1}
            to={Math.min(page * limit, listed)}
            total={listed}
            noun="repositories"
            previousHref={page > 1 ? withChoices(search, { page: page - 1 }) : null}
            nextHref={page < pages ? withChoices(search, { page: page + 1 }) : null}
          />
        ) : null}
      </Section>
    </>
  );
}

/** These choices as a query string; empty without any. */
function chosen(query: URLSearchParams, names: readonly string[]): string {
  const kept = new URLSearchParams([...query].filter(([name]) => names.includes(name)));
  return kept.size > 0 ? `?${kept}` : '';
}

function csvHref({ org, limit, page }: Security, query: URLSearchParams): string {
  const params = new URLSearchParams({ org, limit: String(limit), page: String(page) });
  for (const name of choiceNames) if (query.has(name)) params.set(name, query.get(name) ?? '');
  params.set('format', 'csv');
  return `/api/codehost/org-security?${params}`;
}

function describeNothing(
  { total_repos: total, read_repos: read, pages }: Security,
  query: URLSearchParams,
  org: string,
) {
  if (total === 0) return { cause: `${org} has no repository that you can see and that is not archived.` };
  const cause =
    pages > 1 ? `No repository among the ${figures(read)} on this page matches.` : 'No repository matches this filter.';
  const next = { label: 'Clear filter', href: `?${new URLSearchParams({ org })}` };
  return hasChoice(query) ? { cause, next } : { cause };
}
