import type { LiveWorkflowRun } from '../../server/metrics/kernel/facts.ts';
import {
  type Answer,
  byNumber,
  expectRejected,
  type Handler,
  notFound,
  ok,
  paged,
  type RestRequest,
  resultCap,
} from './answers.ts';
import { inCreatedRange } from './created-range.ts';
import { suiteOf } from './graphql-check-suites.ts';
import { singleSignOn } from './rest-accounts.ts';
import * as wire from './wire.ts';
import * as wireRuns from './wire-runs.ts';
import {
  affiliation,
  closedOrganization,
  type DoubleRepository,
  findRepository,
  jobsOf,
  latestRuns,
  sameName,
  sees,
} from './world.ts';

/** What lies below a repository, by operation id. */
export const repositoryHandlers: Record<string, Handler> = {
  'repos/get': (request) => within(request, (repository) => oneRepository(request, repository)),
  'actions/list-repo-workflows': (request) => within(request, (repository) => workflows(request, repository)),
  'actions/get-actions-cache-usage': (request) =>
    within(request, ({ facts, cacheBytes }) =>
      ok({
        full_name: `${facts.owner}/${facts.repo}`,
        active_caches_size_in_bytes: cacheBytes,
        active_caches_count: cacheBytes > 0 ? 1 : 0,
      }),
    ),
  'repos/get-branch-rules': (request) =>
    within(request, ({ facts, requiredChecks: { byRules } }) =>
      ok(request.params.branch === facts.defaultBranch && byRules.length > 0 ? [...defaultRules, ruleOf(byRules)] : []),
    ),
  'actions/list-workflow-runs': (request) =>
    within(request, (repository) => {
      const wanted = request.params.workflow_id ?? '';
      const workflow = repository.workflows.find(
        ({ id, path }) => String(id) === wanted || path.endsWith(`/${wanted}`),
      );
      if (!workflow) return notFound();
      const runs = latestRuns(repository).filter((one) => one.workflowId === workflow.id);
      return listRuns(request, repository, runs, `/actions/workflows/${workflow.id}/runs`);
    }),
  'actions/list-workflow-runs-for-repo': (request) =>
    within(request, (repository) => listRuns(request, repository, latestRuns(repository), '/actions/runs')),
  'actions/get-workflow-run': (request) => withRun(request, (repository, run) => oneRun(request, repository, run)),
  'actions/get-workflow-run-attempt': (request) =>
    withRun(request, (repository, run) => oneRun(request, repository, run)),
  'actions/list-jobs-for-workflow-run': (request) =>
    withRun(request, (repository, run) => {
      const all = request.query.get('filter') === 'all';
      const attempts = all ? [...(repository.runs.get(run.id) ?? [])].reverse() : [run];
      return listJobs(request, repository, attempts, `/actions/runs/${run.id}/jobs`);
    }),
  'actions/list-jobs-for-workflow-run-attempt': (request) =>
    withRun(request, (repository, run) =>
      listJobs(request, repository, [run], `/actions/runs/${run.id}/attempts/${run.attempt}/jobs`),
    ),
  'actions/download-job-logs-for-workflow-run': (request) =>
    within(request, (repository) => {
      const { base, params } = request;
      const log = repository.logs.get(Number(params.job_id));
      if (log === undefined) return notFound();
      if (log === 'expired') return expectRejected(410, 'Server Error');
      // On another host, as the platform's storage is.
      const location = `${base.replace('127.0.0.1', 'localhost')}${logPath}${repository.facts.id}/${params.job_id}`;
      return { status: 302, body: undefined, headers: { location } };
    }),
};

/** Below it logs are stored. */
export const logPath = '/_storage/logs/';

const source = { ruleset_source_type: 'Repository', ruleset_source: 'octo/web', ruleset_id: 1 };

/** What a new rule set holds; such rules have no parameters. */
const defaultRules = ['deletion', 'non_fast_forward'].map((type) => ({ type, ...source }));

const ruleOf = (names: readonly string[]) => ({
  type: 'required_status_checks',
  parameters: {
    required_status_checks: names.map((context) => ({ context })),
    strict_required_status_checks_policy: false,
  },
  ...source,
});

/** Finds the repository a path names: hidden ones do not exist, renamed ones answer a redirect. */
export function within(request: RestRequest, answer: (repository: DoubleRepository) => Answer): Answer {
  const { world, token, params, base, path, query } = request;
  const found = findRepository(world, `${params.owner}/${params.repo}`);
  if (!found || !sees(world, token, found.repository)) return notFound();
  const { facts } = found.repository;
  const closed = closedOrganization(world, token, facts.owner);
  if (closed) return singleSignOn(closed);
  if (!found.moved) return answer(found.repository);
  const rest = path.split('/').slice(4).join('/');
  const url = `${base}/repositories/${facts.id}${rest && `/${rest}`}${query.size ? `?${query}` : ''}`;
  const documentation = 'https://docs.codehost.example/rest';
  return {
    status: 301,
    body: { message: 'Moved Permanently', url, documentation_url: documentation },
    headers: { location: url },
  };
}

function oneRepository({ world, base, token }: RestRequest, one: DoubleRepository): Answer {
  const body = wire.repository(base, one, affiliation(world, token.login, one));
  const pushed = body.pushed_at ?? body.created_at;
  return ok({ ...body, pushed_at: pushed, subscribers_count: 1, network_count: 0 });
}

function workflows(request: RestRequest, repository: DoubleRepository): Answer {
  const all = repository.actionsEnabled ? repository.workflows : [];
  const { items, headers } = paged(request, all, byNumber(repository, '/actions/workflows'));
  const bodies = items.map((one) => wire.workflow(request.base, repository, one));
  return ok({ total_count: all.length, workflows: bodies }, headers);
}

const runFilters: Record<string, (run: LiveWorkflowRun, wanted: string) => boolean> = {
  actor: ({ actor }, wanted) => actor !== null && sameName(actor.login, wanted),
  branch: ({ headBranch }, wanted) => headBranch === wanted,
  event: ({ event }, wanted) => event === wanted,
  status: ({ status, conclusion }, wanted) => status === wanted || conclusion === wanted,
  created: ({ createdAt }, wanted) => inCreatedRange(createdAt, wanted),
  head_sha: ({ headSha }, wanted) => headSha === wanted,
  check_suite_id: (run, wanted) => suiteOf(run).id === Number(wanted),
};

function listRuns(request: RestRequest, repository: DoubleRepository, runs: LiveWorkflowRun[], rest: string): Answer {
  const filters = Object.entries(runFilters).filter(([name]) => request.query.has(name));
  const shown = repository.actionsEnabled ? runs : [];
  const wanted = shown.filter((run) => filters.every(([name, fits]) => fits(run, request.query.get(name) ?? '')));
  const readable = filters.length ? resultCap : wanted.length;
  const { items, headers } = paged(request, wanted, byNumber(repository, rest), readable);
  const bodies = items.map((run) => wireRuns.run(request.base, repository, withoutPullRequests(request, run)));
  return ok({ total_count: wanted.length, workflow_runs: bodies }, headers);
}

const withoutPullRequests = ({ query }: RestRequest, run: LiveWorkflowRun): LiveWorkflowRun =>
  query.get('exclude_pull_requests') === 'true' ? { ...run, pullRequests: [] } : run;

/** Finds the run a path names, at the attempt it names or the latest. */
function withRun(request: RestRequest, answer: (repository: DoubleRepository, run: LiveWorkflowRun) => Answer): Answer {
  return within(request, (repository) => {
    const { run_id: id, attempt_number: attempt } = request.params;
    const attempts = repository.runs.get(Number(id)) ?? [];
    const run = attempt === undefined ? attempts.at(-1) : attempts.find((one) => one.attempt === Number(attempt));
    return run ? answer(repository, run) : notFound();
  });
}

const oneRun = (request: RestRequest, repository: DoubleRepository, run: LiveWorkflowRun) =>
  ok(wireRuns.run(request.base, repository, withoutPullRequests(request, run)));

function listJobs(
  request: RestRequest,
  repository: DoubleRepository,
  attempts: LiveWorkflowRun[],
  rest: string,
): Answer {
  const all = attempts.flatMap((run) => jobsOf(repository, run).map((job) => ({ run, job })));
  const { items, headers } = paged(request, all, byNumber(repository, rest));
  const bodies = items.map(({ run, job }) => wireRuns.job(request.base, repository, run, job));
  return ok({ total_count: all.length, jobs: bodies }, headers);
}
