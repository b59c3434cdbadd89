import { getOutcome } from '../../metrics/kernel/outcome.ts';
import { type Step, type Trigger, textIn, valueIn, type Workflow } from '../../scan/workflow.ts';
import { textsBelow, type YamlNode } from '../../scan/yaml.ts';
import type { RecordedAttempt } from '../history.ts';
import { createJobMatcher, isNameKnown } from '../job-names.ts';
import { type AdvisedFile, type DocumentationChange, type Finding, kind } from '../kind.ts';
import { reasonsWhere } from '../reasons.ts';
import { attemptMinutes } from '../replay/days.ts';
import { updates } from '../replay/demand.ts';
import { withoutRuns } from '../replay/world-change.ts';
import { filterNames, mayDeploy } from '../traits.ts';

/** Contract of the advisor, section 2.6. */
export const documentationChanges = kind({
  id: 'ADV-04',
  title: 'Skip documentation-only changes',
  certainty: 'recorded',
  definition:
    'Runs of pull requests, and of their merges into the default branch, all of whose changed files are documentation by their paths. Changes that were not read count as others.',
  *find(file) {
    const { workflow, attempts, documentation } = file;
    const open = workflow.triggers.filter(isOpen);
    if (attempts === null || documentation === null || open.length === 0) return;
    const skipped = findSkipped(open, attempts, file);
    if (skipped.length === 0) return;
    const patterns = patternsOf(skipped, documentation);
    const events = open.map(({ event }) => event).filter((event) => skipped.some((one) => one.event === event));
    const required = file.requiredChecks;
    yield {
      anchor: ['on', 'paths-ignore'],
      offset: open[0]?.offset ?? 0,
      ...describe(skipped, attempts, documentation),
      reasons: reasonsWhere({
        deploys: mayDeploy(workflow, events),
        starts_others: file.others.some((other) => startsAfter(other, workflow)),
        files_unread: file.hasUnreadFiles,
        tests_documentation: readsDocumentation(workflow) || hasFailedForGood(skipped),
        many_files: isOftenLarge(documentation),
        sample_too_small: isTooSmall(skipped, attempts),
        required_unknown: required === null,
        required_check: required?.some((name) => mayReport(name, file)) ?? false,
      }),
      changes: [
        {
          do: 'filter-triggers',
          filters: Object.fromEntries(events.map((event) => [event, { 'paths-ignore': patterns }])),
        },
      ],
      counterfactual: { change: withoutRuns(() => skipped), demand: updates },
    };
  },
});

/** Whether runs of a workflow could be left out for what their changes concern. */
export const maySkipDocumentation = (workflow: Workflow): boolean => workflow.triggers.some(isOpen);

const isOpen = ({ event, filter }: Trigger): boolean =>
  (event === 'push' || event === 'pull_request') &&
  ['paths', 'paths-ignore'].every((key) => valueIn(filter, key) === null);

const minRuns = 10;
/** Of the minutes of the workflow. */
const minShare = 0.03;
const [manyFiles, maxLargeShare] = [300, 0.01];

/** Attempts for changes of documentation alone, of events without a filter of paths. */
function findSkipped(
  open: readonly Trigger[],
  attempts: readonly RecordedAttempt[],
  { documentation, defaultBranch }: AdvisedFile,
): RecordedAttempt[] {
  const events = new Set(open.map(({ event }) => event));
  const only = (documentation ?? []).filter(({ patterns }) => patterns !== null);
  const others = new Set((documentation ?? []).flatMap(({ shas, patterns }) => (patterns === null ? shas : [])));
  const proposed = new Set(only.flatMap(({ shas }) => shas.filter((sha) => !others.has(sha))));
  const merged = new Set(only.flatMap(({ mergeSha }) => mergeSha ?? []));
  return attempts.filter(({ event, headBranch, headSha }) => {
    if (!events.has(event)) return false;
    return event === 'pull_request' ? proposed.has(headSha) : headBranch === defaultBranch && merged.has(headSha);
  });
}

/** Those that occurred, in the order in which they are known. */
function patternsOf(skipped: readonly RecordedAttempt[], documentation: readonly DocumentationChange[]): string[] {
  const shas = new Set(skipped.map(({ headSha }) => headSha));
  const occurred = documentation.filter((one) => shas.has(one.mergeSha ?? '') || one.shas.some((sha) => shas.has(sha)));
  return [...new Set(occurred.flatMap(({ patterns }) => patterns ?? []))].sort();
}

const countRuns = (attempts: readonly RecordedAttempt[]): number => new Set(attempts.map(({ runId }) => runId)).size;

const minutesIn = (attempts: readonly RecordedAttempt[]): number =>
  attempts.reduce((sum, one) => sum + attemptMinutes(one), 0);

const isTooSmall = (skipped: readonly RecordedAttempt[], all: readonly RecordedAttempt[]): boolean =>
  countRuns(skipped) < minRuns || minutesIn(skipped) < minShare * minutesIn(all);

/** Whether a run failed that did not pass when it was run again: it may look at documentation. */
function hasFailedForGood(skipped: readonly RecordedAttempt[]): boolean {
  const runs = [...Map.groupBy(skipped, ({ runId }) => runId).values()];
  const outcomes = runs.map((attempts) => attempts.map((one) => getOutcome({ status: 'completed', ...one })));
  return outcomes.some((ofRun) => ofRun.includes('fail') && !ofRun.includes('pass'));
}

/** Whether the workflow may report a check of this name: one that no file reports may wait for a run, as of coverage. */
function mayReport(name: string, { workflow, others }: AdvisedFile): boolean {
  if (createJobMatcher(workflow)(name).length > 0) return true;
  return !others.some((other) => createJobMatcher(other)(name).some(isNameKnown));
}

/** Whether a workflow is started by runs of another one, which is named by its path where it has no name. */
const startsAfter = ({ triggers }: Workflow, { name, path }: Workflow): boolean =>
  triggers.some(
    (trigger) => trigger.event === 'workflow_run' && filterNames(trigger, 'workflows')?.includes(name ?? path),
  );

const words =
  /markdown|mkdocs|docusaurus|vale|spell|lychee|link|mdbook|sphinx|hugo|jekyll|vitepress|antora|prettier|(?<![a-z\d])docs?(?![a-z\d])/i;

const readsDocumentation = ({ root, jobs }: Workflow): boolean =>
  isInDocumentation(root) || jobs.some((job) => isInDocumentation(job.node) || job.steps.some(namesDocumentation));

const namesDocumentation = ({ node }: Step): boolean =>
  ['uses', 'run', 'with', 'working-directory'].some((key) => {
    const value = valueIn(node, key);
    return value !== null && textsBelow(value).some((text) => words.test(text.value));
  });

/** Whether steps of a workflow or a job work in a folder of that by default. */
const isInDocumentation = (node: YamlNode | null): boolean =>
  words.test(textIn(valueIn(valueIn(node, 'defaults'), 'run'), 'working-directory')?.value ?? '');

/** Filters of paths look at the first 300 files of a change. */
const isOftenLarge = (documentation: readonly DocumentationChange[]): boolean =>
  documentation.filter(({ changedFiles }) => changedFiles > manyFiles).length > maxLargeShare * documentation.length;

function describe(
  skipped: readonly RecordedAttempt[],
  attempts: readonly RecordedAttempt[],
  documentation: readonly DocumentationChange[],
) {
  const [some, all] = [countRuns(skipped), countRuns(attempts)];
  return {
    text: `${some} of ${all} runs were for changes of documentation alone.`,
    sample: all,
    facts: [
      { label: 'Runs for documentation alone', value: String(some), unit: null },
      { label: 'Pull requests read', value: String(documentation.length), unit: null },
    ],
    evidence: skipped.map((attempt) => ({ attempt, why: 'changed documentation alone' })),
    risks: [],
  } satisfies Partial<Finding>;
}
