import { figures } from '../../../server/domain/quantity.ts';
import { withChoices } from '../../components/choices.ts';
import { FilterBar } from '../../components/filter-bar.tsx';
import { PastMoment } from '../../components/moment.tsx';
import { Empty } from '../../components/notice.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Pager } from '../../components/pager.tsx';
import { Panel, type PanelAnswer, Section } from '../../components/panel.tsx';
import { ExcludedPanel } from '../../components/panel-failure.tsx';
import { explainHref } from '../links.ts';
import { ChosenRule } from './advisory.tsx';
import { Answer } from './answer.tsx';
import { choiceNames, clearedHref, facetFilters, hasChoice, isSource } from './choices.ts';
import { Coverage } from './coverage.tsx';
import { alertsPart, findingsPart, isUnlisted, type Rule, type Security } from './labels.ts';
import { SecurityTable } from './repositories.tsx';
import { describeRule, Rules, rulesSection } from './rules.tsx';

interface Props {
  result: PanelAnswer<Security>;
  org: string;
  /** The choices of the page's address. */
  search: string;
}

/** What is open in an organization: the answer, the choices, the rules and the repositories. */
export function OrganizationSecurity({ result, org, search }: Props) {
  const { base } = usePageContext();
  const query = new URLSearchParams(search);
  const [severity, rule, age] = ['severity', 'rule', 'age'].map((name) => query.get(name));
  const chosenRule = result.ok ? findRule(result.data, rule ?? null) : null;
  const isFiltered = [severity, rule, age].some(Boolean);
  return (
    <>
      <Panel
        title={chosenRule ? describeRule(chosenRule) : isFiltered ? 'Matching alerts' : 'Open alerts'}
        result={result}
        whenPartial="More may be open."
        aside={result.ok ? <AsOf data={result.data} /> : null}
      >
        {(data) =>
          data.total_repos === 0 ? (
            <Empty {...describeNothing(data, query, org)} />
          ) : (
            <>
              {chosenRule ? (
                <ChosenRule rule={chosenRule} data={data} clearHref={withChoices(search, { rule: null })} />
              ) : (
                <Answer
                  data={data}
                  query={query}
                  severityHref={(one) => withChoices(search, { severity: one })}
                  evidence={(metric) =>
                    explainHref(base, { metric, org, per_page: data.limit, page: data.page, severity, rule, age })
                  }
                />
              )}
              <Coverage data={data} query={query} />
            </>
          )
        }
      </Panel>
      {result.ok && result.data.total_repos > 0 ? (
        <Found data={result.data} rule={chosenRule} org={org} search={search} query={query} />
      ) : null}
    </>
  );
}

function AsOf({ data }: { data: Security }) {
  return (
    <span className="muted">
      as of <PastMoment at={data.generated_at} />
    </span>
  );
}

interface FoundProps {
  data: Security;
  rule: Rule | null;
  org: string;
  search: string;
  query: URLSearchParams;
}

function Found({ data, rule, org, search, query }: FoundProps) {
  const { base } = usePageContext();
  const { facets, page, pages, limit, listed_repos: listed } = data;
  const filters = facetFilters(facets, query);
  return (
    <>
      {data.denied_features.map((flag) => (
        <ExcludedPanel
          key={flag}
          code="forbidden"
          flag={flag}
          {...(flag === 'securityAlerts' ? alertsPart : findingsPart)}
        />
      ))}
      {data.denied_features.includes('securityAlerts') ? (
        <UncountedChoices query={query} />
      ) : filters.length > 0 ? (
        <FilterBar search={search} label="Filter repositories" lead="Repositories by" filters={filters} />
      ) : null}
      {rule === null && facets.rule.length > 0 ? (
        <Section title="Advisories and rules" id={rulesSection} aside={<span className="muted">Repositories</span>}>
          <Rules rules={facets.rule} search={search} csvHref={csvHref(base, data, query, 'rules')} />
        </Section>
      ) : null}
      <Section title={rule ? 'Affected repositories' : 'Repositories'} id="repositories">
        <SecurityTable
          data={data}
          rule={rule}
          search={search}
          repositoryQuery={chosen(query, ['severity', 'rule', 'age'])}
          csvHref={csvHref(base, data, query)}
          empty={describeNothing(data, query, org)}
        />
        {data.repos.some(isUnlisted) ? (
          <p className="source">
            None listed: the organization’s list has no open alert there, and the source may be off.
          </p>
        ) : null}
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

/** What no alert is known of has no numbers to choose by; a choice of the address can be undone. */
const UncountedChoices = ({ query }: Pick<FoundProps, 'query'>) =>
  hasChoice(query) ? (
    <p className="source">
      <a href={clearedHref(query)}>Clear filter</a>
    </p>
  ) : null;

/** The single advisory or rule that an address names; null for a whole source, and for what is not open. */
function findRule({ facets }: Security, name: string | null): Rule | null {
  if (name === null || isSource(name)) return null;
  return facets.rule.find(({ value }) => value.toLowerCase() === name.toLowerCase()) ?? null;
}

/** These choices as a query string; empty without any. */
function chosen(query: URLSearchParams, names: readonly string[]): string {
  const choices = new URLSearchParams([...query].filter(([name]) => names.includes(name)));
  return choices.size > 0 ? `?${choices}` : '';
}

function csvHref(base: string, { org, limit, page }: Security, query: URLSearchParams, table?: 'rules'): string {
  const params = new URLSearchParams({ org, limit: String(limit), page: String(page) });
  for (const name of choiceNames) if (query.has(name)) params.set(name, query.get(name) ?? '');
  if (table) params.set('table', table);
  params.set('format', 'csv');
  return `${base}/api/codehost/org-security?${params}`;
}

function describeNothing(data: Security, query: URLSearchParams, org: string) {
  const { total_repos: total, read_repos: read, pages } = data;
  if (total === 0) return { cause: `${org} has no repository that you can see and that is not archived.` };
  const among = pages > 1 ? ` among the ${figures(read)} on this page` : '';
  const cause = `No repository${among} matches${data.partial ? ' in what could be read' : ''}.`;
  const next = { label: 'Clear filter', href: clearedHref(query) };
  return hasChoice(query) ? { cause, next } : { cause };
}
