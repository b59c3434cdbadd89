import { eventsReaching, mayHoldFor } from '../conditions.ts';
import { findDeployment } from '../deploys.ts';
import { type Hit, type Rule, rule } from '../rule.ts';
import { isSelfHosted, type Label, labelChoices, runnerKind } from '../runners.ts';
import { areForVersions, isOfPullRequest, isOnlyCalled } from '../triggers.ts';
import { type Job, type Step, settingText, type Workflow } from '../workflow.ts';

const timeout = rule({
  id: 'SEC-007',
  severity: 'info',
  confidence: 'high',
  title: 'Job without a timeout',
  description: 'A job that hangs, or is made to hang, holds its runner for the default of six hours.',
  fix: 'Set `timeout-minutes` a little above the longest duration of the job.',
  reference:
    'https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax#jobsjob_idtimeout-minutes',
  *find({ jobs }): Iterable<Hit> {
    for (const job of jobs) {
      if (job.uses !== null || job.timeout !== null) continue;
      const isOwn = isSelfHosted(job);
      const detail = 'On a self-hosted runner a job without a timeout can run for five days.';
      yield { offset: job.offset, job, ...(isOwn ? { severity: 'medium', detail } : {}) };
    }
  },
});

const openRunner = rule({
  id: 'SEC-017',
  severity: 'high',
  confidence: 'medium',
  title: 'Self-hosted runner runs pull requests',
  description:
    'Code of a pull request runs on a machine that is not ephemeral: it can read its files, persist, and wait for ' +
    'the next job. In a public repository anyone can open a pull request.',
  fix: 'Run pull requests on GitHub-hosted or ephemeral runners.',
  reference: 'https://docs.github.com/en/actions/reference/security/secure-use#hardening-for-self-hosted-runners',
  *find(workflow, { visibility, largerRunnerLabels }): Iterable<Hit> {
    for (const job of workflow.jobs) {
      const events = eventsReaching(workflow, job, null, 'fork').filter(isOfPullRequest);
      const choices = events.map((event) => labelChoices(job, { event, doer: 'fork' }));
      const isPublic = visibility === 'public';
      const own = choices.flat(3).find(({ value }) => runnerKind(value, []) === 'self-hosted');
      if (own) {
        yield { offset: own.offset, job, severity: isPublic ? 'high' : 'info' };
        continue;
      }
      const [unknown] = choices.flatMap((one) => findUnknown(one, largerRunnerLabels) ?? []);
      if (unknown)
        yield {
          offset: unknown.offset,
          job,
          severity: isPublic ? 'medium' : 'info',
          confidence: 'low',
          detail: `“${unknown.value}” is not a GitHub-hosted runner label; it may be a larger runner.`,
        };
    }
  },
});

/** A label of labels that may be selected together and are all unknown; null without any. */
function findUnknown(choices: ReturnType<typeof labelChoices>, largerRunnerLabels: readonly string[]): Label | null {
  const isUnknown = ({ value }: Label) => runnerKind(value, largerRunnerLabels) === 'unknown';
  const found = choices.filter(({ length }) => length > 0).map((one) => one.find((labels) => labels.every(isUnknown)));
  return found.includes(undefined) ? null : (found[0]?.[0] ?? null);
}

const together = rule({
  id: 'SEC-041',
  severity: 'info',
  confidence: 'medium',
  title: 'Deployments without concurrency control',
  description: 'Without `concurrency`, an older run can finish after a newer one and deploy older code.',
  fix: 'Set a `concurrency` group on the job or the workflow, for example one per environment.',
  reference: 'https://docs.github.com/en/actions/concepts/workflows-and-actions/concurrency',
  *find(workflow): Iterable<Hit> {
    if (workflow.concurrency !== null || isOnlyCalled(workflow)) return;
    for (const job of workflow.jobs) {
      const deployment = job.concurrency === null ? findDeployment(workflow, job) : null;
      if (!deployment?.replaces || isForVersions(workflow, job, deployment.step)) continue;
      yield { offset: job.offset, job, confidence: deployment.confidence, detail: deployment.why };
    }
  },
});

/** Whether conditions and triggers let a job or step run for a version alone. */
function isForVersions(workflow: Workflow, job: Job, step: Step | null): boolean {
  const pushes = step && settingText(step.with, 'push');
  const events = eventsReaching(workflow, job, step).filter((event) => mayHoldFor(pushes, event));
  const conditions = [job.condition, step?.condition, pushes].map((one) => one?.value ?? '');
  const requiresTag = conditions.some((one) => /refs\/tags|github\.ref_type\s*==\s*'tag'/i.test(one));
  return requiresTag || areForVersions(workflow.triggers.filter(({ event }) => events.includes(event)));
}

export const limitRules: readonly Rule[] = [timeout, openRunner, together];
