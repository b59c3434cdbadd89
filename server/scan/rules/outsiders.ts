import { isCheckout } from '../actions.ts';
import { checksOutHead, checksPermission, fetchedArtifact, runsScript, runsWorkspace } from '../checkouts.ts';
import { eventsReaching, isOfMembers } from '../conditions.ts';
import type { Doer } from '../evaluation.ts';
import { readsFile } from '../file-reads.ts';
import { memoize } from '../memoize.ts';
import { readRunText } from '../places.ts';
import { takesChanges, withNeeded } from '../privileged.ts';
import { type Hit, listSteps, type Rule, rule } from '../rule.ts';
import { type RunnerFile, writesTo } from '../shell.ts';
import type { Command } from '../shell-commands.ts';
import { findConditions, isTextAround, type Job, type Step, settingText, type Workflow } from '../workflow.ts';

const secureUse = 'https://docs.github.com/en/actions/reference/security/secure-use';
const pwnRequests = 'https://securitylab.github.com/resources/github-actions-preventing-pwn-requests/';

const privilegedPullRequest = rule({
  id: 'SEC-001',
  severity: 'high',
  confidence: 'high',
  title: 'Privileged trigger: pull_request_target',
  description:
    '`pull_request_target` runs for pull requests from forks with the secrets and the write token of this ' +
    'repository. A single step that uses the proposed code exposes both.',
  fix: 'Use `pull_request`; keep what needs permissions in a workflow that never uses the proposed code.',
  reference: pwnRequests,
  *find(workflow): Iterable<Hit> {
    if (!workflow.triggers.some(({ event }) => event === 'pull_request_target')) return;
    const checksOut = [...listSteps(workflow)].some(({ step }) => isCheckout(step));
    const isMembershipCheck = workflow.jobs.length > 0 && workflow.jobs.every(isGuardedByPeople);
    const isGuarded = !checksOut && (isMembershipCheck || isOfMembers(workflow, 'pull_request_target'));
    for (const { event, offset } of workflow.triggers) {
      if (event !== 'pull_request_target') continue;
      yield { offset, confidence: checksOut ? 'high' : 'medium', ...(isGuarded ? { severity: 'medium' } : {}) };
    }
  },
});

const isGuardedByPeople = ({ condition }: Job) =>
  condition !== null &&
  !isTextAround(condition) &&
  findConditions(condition).some(({ paths }) =>
    paths.some((path) => /\.label(s\.[^.]+)?\.name$|\.author_association$/.test(path)),
  );

const privilegedCheckout = rule({
  id: 'SEC-011',
  severity: 'critical',
  confidence: 'high',
  title: 'Untrusted code in a privileged workflow',
  description:
    'The job checks out the code of a pull request under an event that gives it the secrets and the token of this ' +
    'repository. A build script, test or configuration of the pull request can then run any command (“pwn ' +
    'request”).',
  fix: 'Build pull requests under `pull_request`, without secrets, and pass results to a second workflow as data.',
  reference: pwnRequests,
  *find(workflow): Iterable<Hit> {
    if (!workflow.triggers.some(({ event }) => takesChanges(event))) return;
    for (const { job, step } of listSteps(workflow)) {
      const reaching = (doer: Doer) => eventsReaching(workflow, job, step, doer).filter(takesChanges);
      if (step.number >= lastUsed(job) || reaching('fork').length === 0) continue;
      if (!checksOutHead(workflow, job, step)) continue;
      const runsIt = step.number <= lastRunning(workflow, job);
      const isGuarded = reaching('outsider').length === 0 || withNeeded(workflow, job).some(checksPermission);
      if (isGuarded && !runsIt) continue;
      yield {
        offset: step.offset,
        job,
        step,
        confidence: isGuarded ? 'low' : runsIt ? 'high' : 'medium',
        ...(isGuarded ? { severity: 'high', detail: guarded } : {}),
      };
    }
  },
});

/** The numbers of the last step of a job that does something, and of the last that runs what lies in the workspace. */
const lastUsed = memoize(({ steps }: Job) => steps.findLast((one) => one.run || one.uses)?.number ?? 0);
const lastRunning = (workflow: Workflow, job: Job) => lastRunningIn(workflow).get(job) ?? 0;
const lastRunningIn = memoize(
  (workflow: Workflow) =>
    new Map(workflow.jobs.map((job) => [job, job.steps.findLast((one) => runsWorkspace(workflow, one))?.number ?? 0])),
);

const guarded = 'A maintainer has to approve first, but commits pushed between the approval and the checkout run too.';

const openComment = rule({
  id: 'SEC-038',
  severity: 'high',
  confidence: 'medium',
  title: 'Job triggered by any comment',
  description: 'Everyone who can comment can trigger this job, any number of times, and it runs code.',
  fix:
    'Check the author: `contains(fromJSON(\'["OWNER", "MEMBER", "COLLABORATOR"]\'), ' +
    'github.event.comment.author_association)`.',
  reference: secureUse,
  *find(workflow): Iterable<Hit> {
    for (const job of workflow.jobs) {
      const step = job.steps.find((one) => isStartedByComment(workflow, job, one) && runsWorkspace(workflow, one));
      if (!step || withNeeded(workflow, job).some(checksPermission)) continue;
      const takesHead = job.steps.some((one) => checksOutHead(workflow, job, one));
      yield { offset: job.offset, job, confidence: takesHead ? 'high' : 'medium' };
    }
  },
});

const isStartedByComment = (workflow: Workflow, job: Job, step: Step) =>
  eventsReaching(workflow, job, step, 'outsider').some((event) => /^(issue|discussion)_comment$/.test(event));

const foreignArtifact = rule({
  id: 'SEC-031',
  severity: 'high',
  confidence: 'medium',
  title: 'Untrusted artifact in a privileged workflow',
  description:
    'A pull request controls the artifacts of the triggering run. Here they are executed, or written to the ' +
    'environment or outputs, with the secrets and the token of the repository (artifact poisoning).',
  fix: 'Extract into a separate directory, treat the content as data, and validate each value before using it.',
  reference: pwnRequests,
  *find(workflow): Iterable<Hit> {
    if (!workflow.triggers.some(({ event }) => event === 'workflow_run')) return;
    for (const job of workflow.jobs) {
      const folders = new Set<string | null>();
      for (const step of job.steps) {
        const reaching = eventsReaching(workflow, job, step, 'fork');
        const fetched = reaching.includes('workflow_run') ? fetchedArtifact(workflow, step) : null;
        if (fetched && folders.size < maxFolders) folders.add(fetched.path);
        const found = folders.size > 0 && trustIn(workflow, job, step, folders);
        if (found) yield { offset: step.offset, job, step, ...found };
      }
    }
  },
});

/** Nobody unpacks into more of them in one job. */
const maxFolders = 50;

/** How a step trusts files that were fetched; null when it does not. */
function trustIn(
  workflow: Workflow,
  job: Job,
  step: Step,
  folders: ReadonlySet<string | null>,
): Pick<Hit, 'confidence' | 'detail'> | null {
  const script = settingText(step.with, 'script')?.value ?? '';
  if (/readFile(Sync)?\(/.test(script) && /\b(exportVariable|setOutput)\(/.test(script))
    return { confidence: 'medium', detail: 'Content of a file becomes a variable or an output.' };
  if (!step.run) return null;
  const run = readRunText(workflow, step);
  if (run.commands.some((one) => writesTo(one, laterSteps) && readsFile(run, one)))
    return { confidence: 'medium', detail: 'Content of a file is written to the environment or an output.' };
  const named = [...folders].flatMap((path) => path?.replace(/^\.\//, '').replace(/\/$/, '') || []);
  const isAnywhere = folders.has(null) && !job.steps.some(isCheckout);
  const isFetched = ({ words }: Command) =>
    isAnywhere || words.some(({ text }) => named.some((folder) => text.includes(folder)));
  return run.commands.some((one) => runsScript(one) && isFetched(one))
    ? { confidence: 'medium', detail: 'A downloaded file is executed.' }
    : null;
}

/** The files by which a step passes something to later ones. */
const laterSteps: readonly RunnerFile[] = ['GITHUB_ENV', 'GITHUB_OUTPUT', 'GITHUB_PATH'];

export const outsidersRules: readonly Rule[] = [
  privilegedPullRequest,
  privilegedCheckout,
  openComment,
  foreignArtifact,
];
