import { z } from 'zod';
import type { Conclusion, WorkflowJob } from '../../metrics/kernel/facts.ts';
import { Problem } from '../../platform/problem.ts';
import type { JobsOfSuites, SuiteOfRun } from '../client/client.ts';
import { rateLimitCost } from '../client/graphql-pages.ts';
import { deniedErrors } from '../client/part-errors.ts';
import { inHalves } from '../client/shrinking.ts';
import type { PartError, Transport } from '../client/transport.ts';
import { conclusion, integer, maybeInstant, maybeText } from '../client/wire.ts';

/** Jobs of completed first attempts, as the check suites report them; see `Codehost.jobs.ofSuites`. */
export async function readSuites(transport: Transport, runs: readonly SuiteOfRun[]): Promise<JobsOfSuites> {
  const batches = Array.from({ length: Math.ceil(runs.length / suitesOfRequest) }, (_, index) =>
    runs.slice(index * suitesOfRequest, (index + 1) * suitesOfRequest),
  );
  const errors: PartError[] = [];
  const requestPart = (part: readonly SuiteOfRun[]) => requestBatch(transport, part, errors);
  const found = (await Promise.all(batches.map((batch) => inHalves(batch, requestPart, denied)))).flat();
  const isUnreadable = errors.some(isOfPart) || (found.length === 0 && errors.length > 0);
  return { jobs: found, problem: isUnreadable ? unreadable(errors) : null };
}

/** Whether something inside of a suite is missing. A suite that is missing entirely may be that of a deleted run. */
const isOfPart = ({ path = [] }: PartError) => path[0] === 'nodes' && path.length > 2;

function denied(_runs: unknown, problem: Problem): never {
  throw problem;
}

function unreadable(errors: readonly PartError[]): Problem {
  const isDenied = errors.every(({ type }) => deniedErrors.has(type));
  return new Problem(
    isDenied ? 'upstream_forbidden' : 'upstream_unavailable',
    'GitHub did not return the check runs of these runs.',
  );
}

/** With the sizes below a request costs 5 points and requests 50,510 nodes at most. */
const suitesOfRequest = 10;
const jobsOfSuite = 50;
const stepsOfJob = 100;

type JobsOfSuite = JobsOfSuites['jobs'][number];

function requestBatch(
  transport: Transport,
  runs: readonly SuiteOfRun[],
  /** Takes the errors that came with the answer. */
  met: PartError[],
): Promise<JobsOfSuite[]> {
  return transport.graphql({
    operation: 'jobs of check suites',
    query,
    variables: { suites: runs.map(({ checkSuiteId }) => checkSuiteId) },
    retry: runs.length === 1,
    // A suite that is missing, or of which a part is, is excluded: its jobs can be read another way.
    read(data, errors) {
      met.push(...errors);
      const lacking = new Set(errors.filter(isOfPart).map(({ path }) => path[1]));
      return (answerSchema.parse(data).nodes ?? []).flatMap((suite, index): JobsOfSuite[] => {
        const run = runs[index];
        const jobs = run && suite && !lacking.has(index) ? jobsIn(suite, run) : null;
        return run && jobs ? [[run.id, jobs]] : [];
      });
    },
  });
}

/** Every check run: of two jobs with one name the platform calls only one the latest. */
const query = `
query JobsOfSuites($suites: [ID!]!) {
  ${rateLimitCost}
  nodes(ids: $suites) {
    ... on CheckSuite {
      checkRuns(first: ${jobsOfSuite}, filterBy: { checkType: ALL }) {
        pageInfo { hasNextPage }
        nodes {
          name status conclusion startedAt completedAt detailsUrl
          steps(first: ${stepsOfJob}) {
            pageInfo { hasNextPage }
            nodes { number name status conclusion startedAt completedAt }
          }
        }
      }
    }
  }
}`;

const pageInfo = z.object({ hasNextPage: z.boolean() });

const spoken = {
  name: z.string(),
  status: z.string().transform((word) => word.toLowerCase()),
  conclusion: z
    .string()
    .nullish()
    .transform((word): Conclusion | null => conclusion.parse(word?.toLowerCase() ?? null)),
  startedAt: maybeInstant,
  completedAt: maybeInstant,
};

const checkRunSchema = z.object({
  ...spoken,
  detailsUrl: maybeText,
  steps: z.object({ pageInfo, nodes: z.array(z.object({ ...spoken, number: integer })) }).nullish(),
});
type CheckRun = z.output<typeof checkRunSchema>;

const suiteSchema = z.object({
  checkRuns: z.object({ pageInfo, nodes: z.array(checkRunSchema.nullable()).nullish() }).nullish(),
});

const answerSchema = z.object({ nodes: z.array(suiteSchema.nullable().catch(null)).nullish() });

/**
 * The jobs of the attempt; null when the suite holds more than was requested, something unfinished, or a job that
 * began after the attempt had ended: then the run was started again.
 */
function jobsIn({ checkRuns }: z.output<typeof suiteSchema>, run: SuiteOfRun): WorkflowJob[] | null {
  const found = checkRuns?.nodes ?? [];
  if (!checkRuns || checkRuns.pageInfo.hasNextPage || found.includes(null)) return null;
  // Checks that others report land in the suites of runs too; those of jobs lead back to the run.
  const own = found.flatMap((one) => {
    const id = one && parseJobId(one, run);
    return one && id ? { one, id } : [];
  });
  const isComplete = own.length > 0 && own.every(({ one }) => isOfAttempt(one, run));
  return isComplete ? own.map(({ one, id }) => toJob(one, id, run)) : null;
}

function isOfAttempt({ status, startedAt, steps }: CheckRun, { updatedAt }: SuiteOfRun): boolean {
  return status === 'completed' && !!steps && !steps.pageInfo.hasNextPage && (startedAt ?? 0) <= updatedAt;
}

/** Job ids no longer fit the number GraphQL gives them as; the address has them completely. */
function parseJobId({ detailsUrl }: CheckRun, { id }: SuiteOfRun): number | null {
  const [, runId, jobId] = /\/actions\/runs\/(\d+)\/job\/(\d+)$/.exec(detailsUrl ?? '') ?? [];
  return Number(runId) === id ? Number(jobId) : null;
}

const toJob = (one: CheckRun, id: number, run: SuiteOfRun): WorkflowJob => ({
  id,
  runId: run.id,
  attempt: 1,
  name: one.name,
  workflowName: run.workflowName,
  status: one.status,
  conclusion: one.conclusion,
  createdAt: null,
  startedAt: one.startedAt,
  completedAt: one.completedAt,
  runnerName: null,
  runnerGroup: null,
  labels: [],
  htmlUrl: one.detailsUrl ?? '',
  steps: one.steps?.nodes ?? [],
});
