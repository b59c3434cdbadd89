import { useLocation } from 'react-router';
import { count, figures } from '../../../server/domain/quantity.ts';
import type { PanelsOf } from '../../../server/http/adapters.ts';
import { assertFound, deferPanels } from '../../../server/http/deferred-panels.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { getWorkflowChangeOutcomes, getWorkflowChanges } from '../../../server/reports/workflow-files/operations.ts';
import { withChoices } from '../../components/choices.ts';
import { reportsHref } from '../../components/data-coverage-link.tsx';
import type { Filter } from '../../components/filter-bar.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Panel } from '../../components/panel.tsx';
import { PeriodBar } from '../../components/period-bar.tsx';
import { LoadingPanels, WhenReady } from '../../components/skeleton.tsx';
import { explainHref } from '../links.ts';
import { useProfileHref } from '../people/person-href.ts';
import type { Route } from './+types/changes';
import { RunsKnown } from './changes-runs.tsx';
import { ChangeTable, findSharedSignature, getAuthor, getFiles } from './changes-table.tsx';
import type { RepositoryPath } from './panels.ts';
import { RepositoryPage } from './repository-page.tsx';
import { hasTracker } from './tracker.ts';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const { panels } = await deferPanels(pageRequest, {
    changes: getWorkflowChanges,
    outcomes: getWorkflowChangeOutcomes,
  });
  assertFound(panels);
  return { panels, isTracked: await hasTracker(pageRequest) };
};

type Answers = PanelsOf<{ changes: typeof getWorkflowChanges; outcomes: typeof getWorkflowChangeOutcomes }>;
export type Change = Extract<Answers['changes'], { ok: true }>['data'][number];
export type Outcomes = Extract<Answers['outcomes'], { ok: true }>['data'];

const feature = { label: 'Workflow changes', shows: 'changes to workflow files' };
const usualLimit = 30;
const maxLimit = 100;

const requestedLimit = (query: URLSearchParams) => Math.min(maxLimit, Number(query.get('limit') || usualLimit));

/** Who changed the workflow files of the default branch, deleted ones included. */
export default function ChangesPage({ loaderData: { panels, isTracked }, params }: Route.ComponentProps) {
  return (
    <RepositoryPage
      repository={params}
      tab="Changes"
      title="Workflow changes"
      description="Commits to workflow files of the default branch."
      isTracked={isTracked}
      panels={panels}
    >
      <WhenReady
        data={panels}
        fallback={
          <>
            <Bar filters={[]} />
            <LoadingPanels titles={['Changes']} />
          </>
        }
      >
        {(answers) => <Changes answers={answers} repository={params} />}
      </WhenReady>
    </RepositoryPage>
  );
}

function Changes({
  answers: { changes, outcomes },
  repository: params,
}: {
  answers: Answers;
  repository: RepositoryPath;
}) {
  const { now, base, hasDatabase, pages } = usePageContext();
  const { search } = useLocation();
  const getProfileHref = useProfileHref(params.owner);
  const query = new URLSearchParams(search);
  const chosen = { file: query.get('file'), author: query.get('author') };
  const limit = requestedLimit(query);
  const csvQuery = new URLSearchParams({ ...params, limit: String(limit), format: 'csv' });
  const csv = (operation: string) => `${base}/api/codehost/${operation}?${csvQuery}`;
  const runsKnown = {
    evidenceHref: explainHref(base, { metric: 'changes_before_failures', ...params, per_page: limit }),
    csvHref: csv('workflow-change-outcomes'),
    syncHref: base || !hasDatabase || !pages.includes('reports') ? undefined : `${reportsHref(params)}#sync`,
  };
  return (
    <>
      <Bar filters={changes.ok && changes.data.length > 0 ? getFilters(changes.data, chosen) : []} />
      <Panel
        title="Changes"
        result={changes}
        feature={feature}
        whenPartial="Older changes are not shown: too many commits."
      >
        {(all) => {
          const shown = all.filter((change) => fits(change, chosen));
          return (
            <>
              <Totals changes={all} shown={shown} now={now} />
              {outcomes.ok ? (
                <RunsKnown data={outcomes.data} {...runsKnown} />
              ) : (
                <p>Runs after each change could not be loaded: {outcomes.problem.error}</p>
              )}
              <ChangeTable
                changes={shown}
                outcomes={outcomes.ok ? outcomes.data : null}
                isFiltered={shown.length < all.length}
                allHref={withChoices(search, { file: null, author: null })}
                getProfileHref={getProfileHref}
                csvHref={csv('audit-log')}
              />
              <More read={all.length} limit={limit} search={search} />
            </>
          );
        }}
      </Panel>
    </>
  );
}

interface Chosen {
  file: string | null;
  author: string | null;
}

const fits = (change: Change, { file, author }: Chosen) =>
  (!file || change.file_paths.includes(file)) && (!author || getAuthor(change) === author);

function Bar({ filters }: { filters: readonly Filter[] }) {
  const { search } = useLocation();
  const latest = `Latest ${requestedLimit(new URLSearchParams(search))} changes`;
  return (
    <PeriodBar
      search={search}
      filters={filters}
      fixed={[latest, 'Default branch']}
      window={{ shown: latest.toLowerCase() }}
    />
  );
}

function getFilters(changes: readonly Change[], { file, author }: Chosen): Filter[] {
  const toOptions = (label: string, values: string[]) => [
    { value: '', label },
    ...[...new Set(values)].sort().map((value) => ({ value, label: value })),
  ];
  const files = changes.flatMap((change) => change.file_paths);
  return [
    { kind: 'select', name: 'file', label: 'File', value: file, options: toOptions('All files', files) },
    {
      kind: 'select',
      name: 'author',
      label: 'Author',
      value: author,
      options: toOptions('Everybody', changes.map(getAuthor)),
    },
  ];
}

const day = 86_400_000;

function describeSignature(verified: Change['verified']): string {
  if (verified === null) return 'signatures unknown';
  return verified ? 'all verified' : 'none verified';
}

function Totals({ changes, shown, now }: { changes: readonly Change[]; shown: readonly Change[]; now: number }) {
  if (changes.length === 0) return null;
  const recent = shown.filter(({ committed_at: at }) => now - Date.parse(at) < day).length;
  const files = new Set(shown.flatMap(getFiles)).size;
  const parts = [
    count(shown.length, 'change'),
    `of ${count(files, 'file')}`,
    `by ${count(new Set(shown.map(getAuthor)).size, 'author')}`,
  ].join(' ');
  const signature = findSharedSignature(shown);
  return (
    <p>
      {parts}
      {shown.length < changes.length ? ` in the latest ${figures(changes.length)}` : ''}
      {recent === 0 ? '' : `; ${recent} in the last 24 hours`}
      {signature === undefined ? '' : `; ${describeSignature(signature)}`}.
    </p>
  );
}

/** As many as were requested: there may be more. */
function More({ read, limit, search }: { read: number; limit: number; search: string }) {
  if (read < limit) return null;
  if (limit >= maxLimit) return <p className="source">Showing the latest {maxLimit} changes.</p>;
  const next = Math.min(maxLimit, limit + usualLimit);
  return (
    <p>
      <a href={withChoices(search, { limit: next })}>Show {next} changes</a>
    </p>
  );
}
