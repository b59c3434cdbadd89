import { privilegedTriggers } from '../../scan/privileged.ts';
import { listLabels, runnerKind } from '../../scan/runners.ts';
import type { Job, Workflow } from '../../scan/workflow.ts';
import { hasInput, isReady, listUncached, mayCacheAlready, type Uncached } from '../dependency-caches.ts';
import { type AdvisedFile, type Finding, kind, withoutHistory } from '../kind.ts';
import { reasonsWhere } from '../reasons.ts';
import { ceilingOf, countRuns, listStepTimes, medianSeconds, type StepTime } from '../step-times.ts';
import { hasEvent, isForReleases, mayDeploy, stepPath } from '../traits.ts';

/** Contract of the advisor, section 2.12. */
export const cachedDependencies = kind({
  id: 'ADV-10',
  title: 'Cache dependencies',
  certainty: 'compared',
  definition:
    'A step sets up a language without the cache that it offers, a lock file lies at the root of the repository, and a later step installs what it names.',
  *watches(workflow, { rootFiles }) {
    for (const { install } of listUncached(workflow, rootFiles ?? [])) yield install;
  },
  *find(file) {
    const { workflow, cacheBytes } = file;
    for (const uncached of listUncached(workflow, file.rootFiles ?? [])) {
      const { job, setup, install, manager } = uncached;
      const path = stepPath(job, setup);
      if (!path) continue;
      const times = listStepTimes(file, job, install);
      yield {
        anchor: [...path, 'with', manager.input],
        offset: setup.uses?.offset ?? setup.offset,
        ...(file.attempts === null
          ? withoutHistory(`“${job.id}” installs its dependencies without a cache.`)
          : describe(uncached, times)),
        reasons: reasonsWhere({
          already_cached: mayCacheAlready(workflow, uncached),
          version_unknown: !hasInput(workflow, uncached),
          set_up_later: !isReady(workflow, uncached),
          called_workflow: hasEvent(workflow, 'workflow_call'),
          deploys: isForReleases(workflow) || mayDeploy(workflow, eventsOf(workflow)),
          privileged: privilegedTriggers(workflow).length > 0,
          self_hosted: !isHosted(job, file),
          caches_unknown: cacheBytes === null,
          caches_full: (cacheBytes ?? 0) > maxCacheBytes,
        }),
        changes: [{ do: 'insert', at: [...path, 'with'], key: manager.input, value: manager.value, after: [] }],
        counterfactual: null,
        ceiling: ceilingOf('install step', times),
      };
    }
  },
});

/** Of the 10 GB that the caches of a repository share. */
const maxCacheBytes = 8 * 1024 ** 3;

const eventsOf = ({ triggers }: Workflow): string[] => triggers.map(({ event }) => event);

/** Whether it runs on runners of the platform alone, which are new for each job. */
const isHosted = (job: Job, { around }: AdvisedFile): boolean => {
  const labels = listLabels(job);
  return labels.length > 0 && labels.every(({ value }) => runnerKind(value, around.largerRunnerLabels) === 'hosted');
};

function describe({ job }: Uncached, times: readonly StepTime[]) {
  const typical = medianSeconds(times);
  const runs = countRuns(times);
  const evidence = new Map(
    times.map(({ attempt, seconds }) => [attempt, { attempt, why: `the install step took ${seconds} s` }]),
  );
  return {
    text:
      typical === null
        ? `“${job.id}” installs its dependencies without a cache; the time of that is not recorded.`
        : `“${job.id}” installs its dependencies without a cache, in a step that takes ${Math.ceil(typical)} s (median of ${runs} runs).`,
    sample: runs,
    facts: [
      { label: 'Runs with the install step', value: String(runs), unit: null },
      ...(typical === null ? [] : [{ label: 'Median of the step', value: String(Math.ceil(typical)), unit: 's' }]),
    ],
    evidence: [...evidence.values()],
    risks: [],
  } satisfies Partial<Finding>;
}
