import type { LiveWorkflowRun } from '../../metrics/kernel/facts.ts';
import type { Metric } from '../../metrics/kernel/metric.ts';
import { criticalShare, criticalTime, type RunPath, runPaths } from '../../metrics/runs/critical-path.ts';
import { type Explanation, explainMetric, runNote } from '../kernel/evidence.ts';
import { noteListing } from '../kernel/notes.ts';
import { readJobs, visibleRuns } from './reading.ts';

/** A number of one job's place on the critical path, opened into the runs that were sampled. */
const explainJob = (getMetric: (job: string) => Metric<RunPath>, showsTime: boolean): Explanation => ({
  key: getMetric('').key,
  feature: 'performanceTab',
  needs: ['owner', 'repo', 'workflow_id', 'job'],
  async explain({ owner = '', repo = '', workflow_id = 0, per_page = 30, job = '' }, context, reply) {
    const { repository, listing } = await visibleRuns({ owner, repo, workflow_id, per_page }, context, reply);
    const { attempts, coverage, source } = await readJobs(repository, listing.items, 'times', context);
    const partial = !coverage.complete;
    noteListing(reply, { ...listing, partial });
    const metric = getMetric(job);
    const answer = explainMetric(metric, runPaths(attempts), {
      window: null,
      partial,
      asOf: listing.asOf,
      source,
      item: pathItem(job, showsTime),
    });
    return { ...answer, label: `${metric.label}: ${job}` };
  },
});

const pathItem =
  (job: string, showsTime: boolean) =>
  ({ run, times }: RunPath<LiveWorkflowRun>) => ({
    label: `Run ${run.runNumber}, attempt ${run.attempt}`,
    url: run.htmlUrl,
    at: run.createdAt,
    value: showsTime ? (times.get(job) ?? null) : null,
    note: [times.has(job) ? 'on the path' : 'not on the path', runNote(run)].join(', '),
  });

/** The numbers of a job on the critical path of its workflow. */
export const criticalPathExplanations: readonly Explanation[] = [
  explainJob(criticalShare, false),
  explainJob(criticalTime, true),
];
