import { eventsReaching, mayHoldFor } from '../conditions.ts';
import { findDeployment } from '../deploys.ts';
import { type Hit, type Rule, rule } from '../rule.ts';
import { isSelfHosted, listLabels, runnerKind } from '../runners.ts';
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
      const kinds = listLabels(job).map((label) => ({ label, kind: runnerKind(label.value, largerRunnerLabels) }));
      const own = kinds.find(({ kind }) => kind === 'self-hosted');
      const unknown = kinds.find(({ kind }) => kind === 'unknown');
      const found = own ?? (kinds.some(({ kind }) => kind === 'hosted' || kind === 'managed') ? undefined : unknown);
      if (!found || !eventsReaching(workflow, job, null, 'fork').some(isOfPullRequest)) continue;
      const isPublic = visibility === 'public';
      const where = { offset: found.label.offset, job };
      if (own) yield { ...where, severity: isPublic ? 'high' : 'info' };
      else
        yield {
          ...where,
          severity: isPublic ? 'medium' : 'info',
          confidence: 'low',
          detail: `“${found.label.value}” is not a GitHub-hosted runner label; it may be a larger runner.`,
        };
    }
  },
});

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
