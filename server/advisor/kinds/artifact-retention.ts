import { getAction, getVersion } from '../../scan/actions.ts';
import type { Step, Workflow } from '../../scan/workflow.ts';
import { mayFetchArtifacts } from '../artifact-readers.ts';
import { createJobFinder } from '../job-names.ts';
import { type AdvisedFile, type EvidenceRun, type Finding, kind, withoutHistory } from '../kind.ts';
import { reasonsWhere } from '../reasons.ts';
import { nameStep } from '../step-times.ts';
import { hasEvent, isForReleases, listUsualSteps, mayDeploy, stepPath } from '../traits.ts';

/** Contract of the advisor, section 2.14. */
export const artifactRetention = kind({
  id: 'ADV-12',
  title: 'Keep artifacts for fewer days',
  certainty: 'recorded',
  definition:
    'Uploads of the workflow without a number of days. GitHub keeps them for as long as the repository is set to, by default 90 days, and never longer than that.',
  *watches(workflow) {
    for (const { step } of listUploadSteps(workflow)) yield step;
  },
  *find(file) {
    const { workflow } = file;
    const found = listUploadSteps(workflow).filter(({ step }) => !hasRetention(step));
    if (found.length === 0) return;
    const uploads = listUploads(file);
    const days = workflow.triggers.every(({ event }) => event === 'pull_request') ? 7 : 30;
    const reasons = reasonsWhere({
      called_workflow: hasEvent(workflow, 'workflow_call'),
      deploys: isForReleases(workflow) || mayDeploy(workflow, eventsOf(workflow)),
      artifacts_read: [workflow, ...file.others].some(mayFetchArtifacts),
      files_unread: file.hasUnreadFiles,
      history_absent: file.attempts === null,
      sample_too_small: file.attempts !== null && uploads.length < minUploads,
    });
    for (const { job, step } of found) {
      const path = stepPath(job, step);
      if (!path) continue;
      yield {
        anchor: [...path, 'with', 'retention-days'],
        offset: step.uses?.offset ?? step.offset,
        ...(file.attempts === null
          ? withoutHistory(`“${job.id}” uploads artifacts without saying for how many days they are kept.`)
          : describe(job.id, uploads, days)),
        reasons,
        changes: [{ do: 'insert', at: [...path, 'with'], key: 'retention-days', value: days, after: ['path', 'name'] }],
        counterfactual: null,
      };
    }
  },
});

const minUploads = 30;

const eventsOf = ({ triggers }: Workflow): string[] => triggers.map(({ event }) => event);

/** The first version of the action has no such input. */
const listUploadSteps = (workflow: Workflow) =>
  listUsualSteps(workflow).filter(
    ({ step: { uses }, step }) =>
      uses !== null &&
      getAction(step) === 'actions/upload-artifact' &&
      (getVersion(workflow, uses)?.[0] ?? firstWithDays) >= firstWithDays,
  );

const firstWithDays = 2;

const hasRetention = (step: Step) => step.with.some(({ key }) => key.value.toLowerCase() === 'retention-days');

/** Recorded uploads of all steps of the file that upload. */
function listUploads({ workflow, attempts }: AdvisedFile): EvidenceRun[] {
  const findJob = createJobFinder(workflow);
  const names = Map.groupBy(listUploadSteps(workflow), ({ job }) => job);
  return (attempts ?? []).flatMap((attempt) =>
    (attempt.jobs ?? []).flatMap(({ name, steps }) => {
      const job = findJob(name);
      const own = new Set((job && names.get(job))?.map(({ step }) => nameStep(step)));
      return steps
        .filter((one) => own.has(one.name) && one.conclusion === 'success')
        .map(() => ({ attempt, why: `“${name}” uploaded an artifact` }));
    }),
  );
}

function describe(jobId: string, uploads: readonly EvidenceRun[], days: number) {
  return {
    text: `The workflow uploaded ${uploads.length} artifacts; those of “${jobId}” are kept for as long as the repository keeps them, by default 90 days. Their sizes are not read.`,
    sample: uploads.length,
    facts: [
      { label: 'Uploads', value: String(uploads.length), unit: null },
      { label: 'With the change kept for', value: String(days), unit: 'days' },
    ],
    evidence: [...new Map(uploads.map((one) => [one.attempt, one])).values()],
    risks: [],
  } satisfies Partial<Finding>;
}
