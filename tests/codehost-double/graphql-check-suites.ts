import type { LiveWorkflowRun, WorkflowJob } from '../../server/metrics/kernel/facts.ts';
import { connection, type Paging } from './graphql-connection.ts';
import { GraphqlRequestError, type View } from './graphql-view.ts';
import { moment, momentOrNull, webAddress } from './wire.ts';
import { closedOrganization, type DoubleRepository, jobsOf, sees } from './world.ts';

/** The check suite of a run, by which its jobs can be requested as check runs. */
export const suiteOf = ({ id }: LiveWorkflowRun) => ({ id: id + 5_000_000_000, nodeId: `CS_${id + 5_000_000_000}` });

interface CheckRunsArgs extends Paging {
  filterBy?: { checkType?: 'ALL' | 'LATEST' | null } | null;
}

/** The object with this node id; the double knows those of check suites. */
export function checkSuite(view: View, nodeId: string) {
  for (const repository of view.world.repositories)
    for (const attempts of repository.runs.values()) {
      const latest = attempts.at(-1) as LiveWorkflowRun;
      if (suiteOf(latest).nodeId !== nodeId || !sees(view.world, view.token, repository)) continue;
      if (closedOrganization(view.world, view.token, repository.facts.owner)) break;
      return suite(view, repository, attempts, latest);
    }
  return new GraphqlRequestError('NOT_FOUND', `Could not resolve to a node with the global id of '${nodeId}'`);
}

/** One suite for all attempts of a run. */
function suite(view: View, repository: DoubleRepository, attempts: LiveWorkflowRun[], latest: LiveWorkflowRun) {
  return {
    __typename: 'CheckSuite',
    id: suiteOf(latest).nodeId,
    databaseId: null,
    status: latest.status.toUpperCase(),
    conclusion: latest.conclusion?.toUpperCase() ?? null,
    createdAt: moment(latest.createdAt),
    updatedAt: moment(latest.updatedAt),
    repository: view.repository(repository),
    checkRuns(args: CheckRunsArgs) {
      const all = attempts.flatMap((run) => jobsOf(repository, run));
      const wanted = args.filterBy?.checkType === 'ALL' ? all : latestOfEachName(all);
      return connection(wanted, args, (job) => checkRun(repository, job));
    },
  };
}

const latestOfEachName = (jobs: WorkflowJob[]) => [...new Map(jobs.map((job) => [job.name, job])).values()];

function checkRun({ facts }: DoubleRepository, job: WorkflowJob) {
  return {
    __typename: 'CheckRun',
    id: `CR_${job.id}`,
    name: job.name,
    status: job.status.toUpperCase(),
    conclusion: job.conclusion?.toUpperCase() ?? null,
    startedAt: momentOrNull(job.startedAt),
    completedAt: momentOrNull(job.completedAt),
    detailsUrl: `${webAddress(facts)}/actions/runs/${job.runId}/job/${job.id}`,
    steps: (args: Paging) =>
      connection(job.steps, args, (step) => ({
        number: step.number,
        name: step.name,
        status: step.status.toUpperCase(),
        conclusion: step.conclusion?.toUpperCase() ?? null,
        startedAt: momentOrNull(step.startedAt),
        completedAt: momentOrNull(step.completedAt),
      })),
  };
}
