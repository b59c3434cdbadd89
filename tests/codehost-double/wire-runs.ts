import type { LiveWorkflowRun, WorkflowJob } from '../../server/metrics/kernel/facts.ts';
import { suiteOf } from './graphql-check-suites.ts';
import { idOf, moment, momentOrNull, repositoryAddress, user, webAddress } from './wire.ts';
import type { DoubleRepository } from './world.ts';

/** A run as the platform's REST answers put it: one row for its latest, or the asked, attempt. */
export function run(base: string, { facts, workflows, called }: DoubleRepository, one: LiveWorkflowRun) {
  const repositoryUrl = `${base}/repos/${facts.owner}/${facts.repo}`;
  const url = `${repositoryUrl}/actions/runs/${one.id}`;
  const suite = suiteOf(one);
  const address = repositoryAddress(base, facts);
  const attempts = `${url}/attempts/${one.attempt}`;
  const ofAttempt = called.get(`${one.id}/${one.attempt}`);
  return {
    id: one.id,
    name: one.workflowName,
    node_id: `WFR_${one.id}`,
    head_branch: one.headBranch,
    head_sha: one.headSha,
    path: workflows.find((each) => each.id === one.workflowId)?.path ?? '.github/workflows/gone.yml',
    display_title: one.displayTitle ?? '',
    run_number: one.runNumber,
    event: one.event,
    status: one.status,
    conclusion: one.conclusion,
    workflow_id: one.workflowId,
    check_suite_id: suite.id,
    check_suite_node_id: suite.nodeId,
    url,
    html_url: `${webAddress(facts)}/actions/runs/${one.id}`,
    pull_requests: one.pullRequests.map((each) => pullRequest(repositoryUrl, facts.id, facts.repo, one, each)),
    created_at: moment(one.createdAt),
    updated_at: moment(one.updatedAt),
    actor: one.actor && user(base, one.actor),
    run_attempt: one.attempt,
    referenced_workflows: ofAttempt === undefined ? [] : ofAttempt,
    run_started_at: momentOrNull(one.startedAt),
    triggering_actor: one.triggeringActor && user(base, one.triggeringActor),
    jobs_url: one.attempt > 1 ? `${attempts}/jobs` : `${url}/jobs`,
    logs_url: `${url}/logs`,
    check_suite_url: `${repositoryUrl}/check-suites/${suite.id}`,
    artifacts_url: `${url}/artifacts`,
    cancel_url: `${url}/cancel`,
    rerun_url: `${url}/rerun`,
    previous_attempt_url: one.attempt > 1 ? `${url}/attempts/${one.attempt - 1}` : null,
    workflow_url: `${repositoryUrl}/actions/workflows/${one.workflowId}`,
    head_commit: headCommit(one),
    repository: address,
    head_repository: address,
  };
}

export function job(base: string, { facts }: DoubleRepository, of: LiveWorkflowRun, one: WorkflowJob) {
  const url = `${base}/repos/${facts.owner}/${facts.repo}`;
  const group = one.runnerName === null ? null : (one.runnerGroup ?? '');
  return {
    id: one.id,
    run_id: one.runId,
    workflow_name: one.workflowName,
    head_branch: of.headBranch,
    run_url: `${url}/actions/runs/${one.runId}`,
    run_attempt: one.attempt,
    node_id: `CR_${one.id}`,
    head_sha: of.headSha,
    url: `${url}/actions/jobs/${one.id}`,
    html_url: `${webAddress(facts)}/actions/runs/${one.runId}/job/${one.id}`,
    status: one.status,
    conclusion: one.conclusion,
    created_at: moment(one.createdAt ?? of.createdAt),
    started_at: moment(one.startedAt ?? one.createdAt ?? of.createdAt),
    completed_at: momentOrNull(one.completedAt),
    name: one.name,
    steps: one.steps.map((step) => ({
      name: step.name,
      status: step.status,
      conclusion: step.conclusion,
      number: step.number,
      started_at: momentOrNull(step.startedAt),
      completed_at: momentOrNull(step.completedAt),
    })),
    check_run_url: `${url}/check-runs/${one.id}`,
    labels: one.labels,
    runner_id: one.runnerName === null ? null : (idOf(one.runnerName) % 1000) + 1,
    runner_name: one.runnerName,
    runner_group_id: group === null ? null : 1,
    runner_group_name: group,
  };
}

function headCommit({ headCommit: commit, headSha, createdAt }: LiveWorkflowRun) {
  if (!commit) return null;
  const email = 'somebody@codehost.example';
  return {
    id: headSha,
    tree_id: headSha,
    message: commit.message,
    timestamp: moment(createdAt),
    author: commit.authorName === null ? null : { name: commit.authorName, email },
    committer: { name: 'Codehost', email: 'noreply@codehost.example' },
  };
}

function pullRequest(
  repositoryUrl: string,
  repositoryId: number,
  repositoryName: string,
  { headBranch }: LiveWorkflowRun,
  { number, headSha }: { number: number; headSha: string },
) {
  const repo = { id: repositoryId, url: repositoryUrl, name: repositoryName };
  return {
    id: repositoryId * 10_000 + number,
    number,
    url: `${repositoryUrl}/pulls/${number}`,
    head: { ref: headBranch ?? '', sha: headSha, repo },
    base: { ref: 'main', sha: headSha, repo },
  };
}
