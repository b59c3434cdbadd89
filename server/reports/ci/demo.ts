import type { Context } from '../../access/context.ts';
import type { Platform } from '../../codehost/changes/client.ts';
import { attemptCost } from '../../metrics/cost/run-cost.ts';
import { judgeAttempts } from '../../metrics/cost/waste.ts';
import { toJobGroup } from '../../metrics/cost/workflow-spend.ts';
import type { LiveWorkflowRun, Repository, WorkflowJob, WorkflowRun } from '../../metrics/kernel/facts.ts';
import type { Window } from '../../metrics/kernel/window.ts';
import { createCalendar } from '../../metrics/people/workday-hours.ts';
import { commitOutcomes } from '../../metrics/runs/flaky.ts';
import { listOwnJobs } from '../../metrics/runs/jobs.ts';
import { tallyCommits, tallyRuns } from '../../metrics/runs/run-figures.ts';
import type { WorkflowKey } from '../../store/workflow-figures.ts';
import type { CiSource } from './reading.ts';

/** The sample organization has no database: its figures come from the runs that a database would hold. */
export async function sampleCi(repositories: readonly Repository[], context: Context): Promise<CiSource> {
  const codehost = await context.codehost();
  const now = context.services.clock.now();
  const listRuns = async ({ from, to }: Window, workflowId: number | null = null) => {
    const lists = await Promise.all(
      repositories.map(async (repository) => {
        const runs = await listAllRuns(codehost, repository, { from, to });
        const own = workflowId === null ? runs : runs.filter((run) => run.workflowId === workflowId);
        return own.map((run) => ({ repository, run }));
      }),
    );
    return lists.flat();
  };
  const listWorkflows = async (window: Window) => {
    const runs = await listRuns(window);
    const groups = Map.groupBy(runs, ({ repository, run }) => `${repository.id} ${run.workflowId}`);
    return [...groups.values()].flatMap((own): SampleWorkflow[] => {
      const [first] = own;
      return first ? [{ repository: first.repository, runs: own.map(({ run }) => run) }] : [];
    });
  };
  return {
    async tally(_, window) {
      const workflows = await listWorkflows(window);
      const tallied = workflows.map((one) => ({
        ...toKey(one),
        workflow: one.runs.find(({ workflowName }) => workflowName !== null)?.workflowName ?? null,
        ...tallyRuns(one.runs),
      }));
      return { total: tallyRuns(workflows.flatMap(({ runs }) => runs)), workflows: tallied };
    },
    async days(_, window, zone, workflowId = null) {
      const calendar = createCalendar(zone);
      const days = Map.groupBy(await listRuns(window, workflowId), ({ run }) => calendar.getDay(run.createdAt));
      const tallied = [...days].map(([date, ofDay]) => ({ date, ...tallyRuns(ofDay.map(({ run }) => run)) }));
      return tallied.sort((a, b) => (a.date < b.date ? -1 : 1));
    },
    async flakiness(_, window) {
      const workflows = await listWorkflows(window);
      return Promise.all(
        workflows.map(async (one) => {
          const attempts = await listAttempts(codehost, one);
          const days = (window.to - window.from) / 86_400_000;
          return { ...toKey(one), ...tallyCommits(commitOutcomes(attempts, window.to, days)) };
        }),
      );
    },
    async costs(_, window, { zone }) {
      const calendar = createCalendar(zone);
      const workflows = await Promise.all(
        (await listWorkflows(window)).map(async (one) => {
          const runs = one.runs.filter(({ status }) => status === 'completed');
          return { one, runs, jobs: await listJobs(codehost, { ...one, runs }, one.runs) };
        }),
      );
      const dated = workflows.flatMap(({ one, jobs }) =>
        jobs.map(({ run, group }) => ({
          date: getDay(run),
          group: { ...group, isPublic: one.repository.visibility === 'public' },
        })),
      );
      const byDay = Map.groupBy(dated, ({ date }) => date);
      const ended = Map.groupBy(
        workflows.flatMap(({ runs }) => runs),
        getDay,
      );
      function getDay({ createdAt }: WorkflowRun) {
        return calendar.getDay(createdAt);
      }
      return {
        workflows: workflows.map(({ one, runs, jobs }) => ({
          ...toKey(one),
          runs: runs.length,
          groups: jobs.map(({ group }) => group),
        })),
        days: [...ended]
          .map(([date, runs]) => ({
            date,
            completed: runs.length,
            costed: runs.length,
            groups: (byDay.get(date) ?? []).map(({ group }) => group),
          }))
          .sort((a, b) => (a.date < b.date ? -1 : 1)),
      };
    },
    async storedWindows() {
      const runs = await listRuns({ from: 0, to: now });
      const oldest = Math.min(now, ...runs.map(({ run }) => run.createdAt));
      return new Map(repositories.map(({ id }) => [id, { from: oldest, to: now }]));
    },
    async runs(_, window, limit, workflowId = null) {
      const unwatched = { completedAt: null, durationMs: null, jobWaitMs: null, queueWaitMs: null, syncedAt: now };
      return (await listRuns(window, workflowId))
        .map(({ repository, run }) => ({ ...run, ...unwatched, repoId: repository.id }))
        .sort((a, b) => b.createdAt - a.createdAt || b.id - a.id)
        .slice(0, limit);
    },
    syncedThrough: async () => now,
  };
}

interface SampleWorkflow {
  repository: Repository;
  runs: LiveWorkflowRun[];
}

const toKey = ({ repository, runs: [first] }: SampleWorkflow): WorkflowKey => ({
  repoId: repository.id,
  workflowId: first?.workflowId ?? 0,
});

export async function listAllRuns({ runs }: Platform, repository: Repository, { from, to }: Window) {
  const all: LiveWorkflowRun[] = [];
  for (let page = 1; ; page++) {
    const listed = await runs.window(repository, from, to, page);
    all.push(...listed.runs);
    if (all.length >= listed.totalCount || listed.runs.length === 0) return all;
  }
}

/** Every attempt of the runs. */
export async function listAttempts({ runs: reads }: Platform, { repository, runs }: SampleWorkflow) {
  const earlier = runs.flatMap(({ id, attempt: latest }) =>
    Array.from({ length: latest - 1 }, (_, index) => reads.attempt(repository, id, index + 1)),
  );
  return [...runs, ...(await Promise.all(earlier)).filter((run) => run !== null)];
}

async function listJobs(codehost: Platform, workflow: SampleWorkflow, all: readonly LiveWorkflowRun[]) {
  const attempts = await listAttempts(codehost, workflow);
  const jobs = new Map<LiveWorkflowRun, WorkflowJob[]>();
  for (const run of attempts) {
    const { items } = await codehost.jobs.ofRun(workflow.repository, run.id, run.attempt);
    jobs.set(run, items);
  }
  const costs = attempts.map((run) => attemptCost(run, jobs.get(run) ?? [], { isPublic: false }));
  return judgeAttempts(costs, all).flatMap(({ attempt, waste }) =>
    listOwnJobs(attempt.run, jobs.get(attempt.run as LiveWorkflowRun) ?? []).map((job) => ({
      run: attempt.run,
      group: toJobGroup(job, waste !== null),
    })),
  );
}
