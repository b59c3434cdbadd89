import type { LiveWorkflowRun } from '../../server/metrics/kernel/facts.ts';
import { type Answer, type Asked, byNumber, type Handler, notFound, ok, paged, resultCap } from './answers.ts';
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
  'repos/get': (asked) => within(asked, (repository) => oneRepository(asked, repository)),
  'actions/list-repo-workflows': (asked) => within(asked, (repository) => workflows(asked, repository)),
  'actions/list-workflow-runs': (asked) =>
    within(asked, (repository) => {
      const wanted = asked.params.workflow_id ?? '';
      const workflow = repository.workflows.find(
        ({ id, path }) => String(id) === wanted || path.endsWith(`/${wanted}`),
      );
      if (!workflow) return notFound();
      const runs = latestRuns(repository).filter((one) => one.workflowId === workflow.id);
      return listRuns(asked, repository, runs, `/actions/workflows/${workflow.id}/runs`);
    }),
  'actions/list-workflow-runs-for-repo': (asked) =>
    within(asked, (repository) => listRuns(asked, repository, latestRuns(repository), '/actions/runs')),
  'actions/get-workflow-run': (asked) => withRun(asked, (repository, run) => oneRun(asked, repository, run)),
  'actions/get-workflow-run-attempt': (asked) => withRun(asked, (repository, run) => oneRun(asked, repository, run)),
  'actions/list-jobs-for-workflow-run': (asked) =>
    withRun(asked, (repository, run) => {
      const all = asked.query.get('filter') === 'all';
      const attempts = all ? [...(repository.runs.get(run.id) ?? [])].reverse() : [run];
      return listJobs(asked, repository, attempts, `/actions/runs/${run.id}/jobs`);
    }),
  'actions/list-jobs-for-workflow-run-attempt': (asked) =>
    withRun(asked, (repository, run) =>
      listJobs(asked, repository, [run], `/actions/runs/${run.id}/attempts/${run.attempt}/jobs`),
    ),
};

/** Finds the repository a path names: hidden ones do not exist, renamed ones answer a redirect. */
export function within(asked: Asked, answer: (repository: DoubleRepository) => Answer): Answer {
  const { world, token, params, base, path, query } = asked;
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

function oneRepository({ world, base, token }: Asked, one: DoubleRepository): Answer {
  const body = wire.repository(base, one, affiliation(world, token.login, one));
  const pushed = body.pushed_at ?? body.created_at;
  return ok({ ...body, pushed_at: pushed, subscribers_count: 1, network_count: 0 });
}

function workflows(asked: Asked, repository: DoubleRepository): Answer {
  const all = repository.actionsEnabled ? repository.workflows : [];
  const { items, headers } = paged(asked, all, byNumber(repository, '/actions/workflows'));
  const bodies = items.map((one) => wire.workflow(asked.base, repository, one));
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

function listRuns(asked: Asked, repository: DoubleRepository, runs: LiveWorkflowRun[], rest: string): Answer {
  const filters = Object.entries(runFilters).filter(([name]) => asked.query.has(name));
  const shown = repository.actionsEnabled ? runs : [];
  const wanted = shown.filter((run) => filters.every(([name, fits]) => fits(run, asked.query.get(name) ?? '')));
  const readable = filters.length ? resultCap : wanted.length;
  const { items, headers } = paged(asked, wanted, byNumber(repository, rest), readable);
  const bodies = items.map((run) => wireRuns.run(asked.base, repository, withoutPullRequests(asked, run)));
  return ok({ total_count: wanted.length, workflow_runs: bodies }, headers);
}

const withoutPullRequests = ({ query }: Asked, run: LiveWorkflowRun): LiveWorkflowRun =>
  query.get('exclude_pull_requests') === 'true' ? { ...run, pullRequests: [] } : run;

/** Finds the run a path names, at the attempt it names or the latest. */
function withRun(asked: Asked, answer: (repository: DoubleRepository, run: LiveWorkflowRun) => Answer): Answer {
  return within(asked, (repository) => {
    const { run_id: id, attempt_number: attempt } = asked.params;
    const attempts = repository.runs.get(Number(id)) ?? [];
    const run = attempt === undefined ? attempts.at(-1) : attempts.find((one) => one.attempt === Number(attempt));
    return run ? answer(repository, run) : notFound();
  });
}

const oneRun = (asked: Asked, repository: DoubleRepository, run: LiveWorkflowRun) =>
  ok(wireRuns.run(asked.base, repository, withoutPullRequests(asked, run)));

function listJobs(asked: Asked, repository: DoubleRepository, attempts: LiveWorkflowRun[], rest: string): Answer {
  const all = attempts.flatMap((run) => jobsOf(repository, run).map((job) => ({ run, job })));
  const { items, headers } = paged(asked, all, byNumber(repository, rest));
  const bodies = items.map(({ run, job }) => wireRuns.job(asked.base, repository, run, job));
  return ok({ total_count: all.length, jobs: bodies }, headers);
}
