import type { PanelsOf } from '../../../server/http/adapters.ts';
import { assertFound, deferPanels } from '../../../server/http/deferred-panels.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import {
  getAgentTable,
  getAuthorshipByRepository,
  getAuthorshipComparison,
  getAuthorshipCost,
  getAuthorshipSummary,
  getAuthorshipTrend,
} from '../../../server/reports/ai-authorship/operations.ts';
import { Empty } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { usePageContext, useSearch } from '../../components/page-context.ts';
import { Panel } from '../../components/panel.tsx';
import { PeriodBar } from '../../components/period-bar.tsx';
import { LoadingPanels, WhenReady } from '../../components/skeleton.tsx';
import { crumbs, useOrganizationCrumb } from '../links.ts';
import type { Route } from './+types/ai-authorship';
import { AuthorshipCaution } from './ai-authorship-caution.tsx';
import { AuthorshipComparison } from './ai-authorship-comparison.tsx';
import { AuthorshipCost } from './ai-authorship-cost.tsx';
import { AuthorshipAgents, AuthorshipLimits } from './ai-authorship-marks.tsx';
import { AuthorshipRepositories } from './ai-authorship-repositories.tsx';
import { AuthorshipClasses, AuthorshipSentence, AuthorshipTrend } from './ai-authorship-shares.tsx';
import { useOrganizationTabs } from './tabs.ts';

const operations = {
  summary: getAuthorshipSummary,
  trend: getAuthorshipTrend,
  comparison: getAuthorshipComparison,
  byRepository: getAuthorshipByRepository,
  cost: getAuthorshipCost,
  agents: getAgentTable,
};

type Answers = PanelsOf<typeof operations>;

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  // That it is off is an answer, and no error of the page.
  const answers = await deferPanels({ context: context.get(requestContext), params, isOptional: true }, operations);
  assertFound(answers.panels, [404]);
  return answers;
};

const title = 'AI-authored pull requests';
const wholeMonths = { shown: 'whole months', because: 'marks are counted by month' };

/** What share of the pull requests of an organization carries a mark of an AI agent. */
export default function AiAuthorshipPage({ loaderData: { panels }, params: { org } }: Route.ComponentProps) {
  const { base } = usePageContext();
  return (
    <Page
      title={title}
      description={`How many pull requests of ${org} carry a mark of an AI agent.`}
      breadcrumbs={crumbs(base, ...useOrganizationCrumb(org))}
      tabs={useOrganizationTabs(org, 'AI-authored')}
    >
      <WhenReady
        data={panels}
        fallback={
          <>
            <MonthsBar outcomes={[]} />
            <LoadingPanels titles={['Marked share', 'By month']} />
          </>
        }
      >
        {(answers) => (isOff(answers.summary) ? <Off /> : <Answer answers={answers} org={org} />)}
      </WhenReady>
    </Page>
  );
}

type Outcomes = Extract<Answers['comparison'], { ok: true }>['data']['outcomes'];

function MonthsBar({ outcomes }: { outcomes: Outcomes }) {
  const search = useSearch();
  const query = new URLSearchParams(search);
  return (
    <div className="screen-only">
      <PeriodBar
        label="Months and class"
        search={search}
        window={wholeMonths}
        filters={[
          { kind: 'text', name: 'from', label: 'From month', value: query.get('from'), placeholder: '2026-05' },
          { kind: 'text', name: 'to', label: 'To month', value: query.get('to'), placeholder: '2026-10' },
          {
            kind: 'select',
            name: 'class',
            label: 'Compared class',
            value: query.get('class') || 'agent_authored',
            options: [
              { value: 'agent_authored', label: 'Agent-authored' },
              { value: 'ai_assisted', label: 'AI-assisted' },
            ],
          },
          ...(outcomes.length > 0
            ? [
                {
                  kind: 'select' as const,
                  name: 'outcome',
                  label: 'Outcome by repository',
                  value: query.get('outcome') || 'merged_30d',
                  options: outcomes.map(({ key, label }) => ({ value: key, label })),
                },
              ]
            : []),
        ]}
      />
    </div>
  );
}

function Answer({ answers, org }: { answers: Answers; org: string }) {
  const { summary, trend, comparison, byRepository, cost, agents } = answers;
  const { base } = usePageContext();
  const query = new URLSearchParams(useSearch());
  const csv = new URLSearchParams({ org, format: 'csv' });
  for (const name of ['from', 'to']) if (query.get(name)) csv.set(name, query.get(name) ?? '');
  const compared = new URLSearchParams(csv);
  compared.set('class', query.get('class') || 'agent_authored');
  return (
    <>
      <MonthsBar outcomes={comparison.ok ? comparison.data.outcomes : []} />
      <Panel title="Marked share" result={summary} feature={feature} whenPartial={null}>
        {(data) => (
          <>
            <AuthorshipSentence data={data} trend={trend.ok ? trend.data : null} />
            <AuthorshipClasses data={data} csvHref={`${base}/api/ai-authorship/summary?${csv}`} />
          </>
        )}
      </Panel>
      <Panel title="By month" result={trend} feature={feature} whenPartial={null}>
        {(data) => <AuthorshipTrend data={data} csvHref={`${base}/api/ai-authorship/trend?${csv}`} />}
      </Panel>
      <Panel
        title="Marked and unmarked pull requests compared"
        result={comparison}
        feature={feature}
        whenPartial={null}
      >
        {(data) => (
          <>
            <AuthorshipComparison data={data} csvHref={`${base}/api/ai-authorship/comparison?${compared}`} />
            <AuthorshipCaution data={data} />
          </>
        )}
      </Panel>
      <div className="screen-only">
        <Panel title="By repository" result={byRepository} feature={feature} whenPartial={null}>
          {(data) => (
            <AuthorshipRepositories
              data={data}
              csvHref={`${base}/api/ai-authorship/by-repository?${compared}&outcome=${data.outcome}`}
            />
          )}
        </Panel>
        <Panel title="What their runs cost" result={cost} feature={feature} whenPartial={null}>
          {(data) => <AuthorshipCost data={data} csvHref={`${base}/api/ai-authorship/cost?${csv}`} />}
        </Panel>
        {summary.ok ? <AuthorshipLimits data={summary.data} /> : null}
        <Panel title="How marks are found" result={agents} feature={feature}>
          {(data) => <AuthorshipAgents data={data} csvHref={`${base}/api/ai-authorship/agents?format=csv`} />}
        </Panel>
      </div>
    </>
  );
}

const feature = { label: title, shows: 'how many pull requests carry a mark of an AI agent' };

const isOff = (result: Answers['summary']) => !result.ok && result.problem.code === 'feature_off';

function Off() {
  const { pages } = usePageContext();
  const isAdministrator = pages.includes('settings/ai-authorship');
  return (
    <Empty
      cause="Off. Nothing is read for marks of AI agents until an administrator switches it on, under Settings, AI-authored pull requests."
      next={isAdministrator ? { label: 'Switch on', href: '/settings/ai-authorship' } : undefined}
    />
  );
}
