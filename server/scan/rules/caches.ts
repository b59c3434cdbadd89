import { getAction, getVersion } from '../actions.ts';
import { eventsReaching, neededBy } from '../conditions.ts';
import { publishedBy } from '../deploys.ts';
import { type Hit, listSteps, type Rule, rule } from '../rule.ts';
import { type Job, type Step, settingText, valueIn, type Workflow } from '../workflow.ts';

const poisonedCache = rule({
  id: 'SEC-027',
  severity: 'medium',
  confidence: 'low',
  title: 'Release built from a cache',
  description:
    'Any workflow of the branch can write to the cache. An attacker who runs code in one of them can poison the ' +
    'cache, and with it the release or a run with more permissions (cache poisoning).',
  fix: 'Build releases, and privileged jobs that untrusted users can trigger, without a cache.',
  reference: 'https://docs.github.com/en/actions/reference/workflows-and-actions/dependency-caching',
  *find(workflow): Iterable<Hit> {
    const publishes = ({ steps }: Job) => steps.some((step) => publishedBy(workflow, step) !== null);
    const releasing = releasingJobs(workflow, publishes);
    const isOpen = workflow.triggers.some(({ event }) => runsForeignCode.test(event));
    for (const { job, step } of listSteps(workflow)) {
      const cache = findCache(workflow, step);
      if (!cache) continue;
      const events = isOpen ? eventsReaching(workflow, job, step, 'outsider') : [];
      const isForOutsiders = events.some((event) => runsForeignCode.test(event));
      const isReleased = releasing.has(job) && cache.restores && !leavesTagsOut(step);
      if (!isForOutsiders && !isReleased) continue;
      const where = { offset: cache.offset, job, step };
      if (isForOutsiders)
        yield { ...where, detail: 'Untrusted users can trigger the job with the permissions of the repository.' };
      else yield { ...where, confidence: cache.isExplicit ? 'medium' : 'low' };
    }
  },
});

/** Those that publish, and what they wait for, in a workflow that runs for releases and tags. */
function releasingJobs({ jobs, triggers }: Workflow, publishes: (job: Job) => boolean): Set<Job> {
  const isForReleases = triggers.some(
    ({ event, filter }) => event === 'release' || (event === 'push' && valueIn(filter, 'tags') !== null),
  );
  const releasing = new Set(isForReleases ? jobs.filter(publishes) : []);
  const byId = new Map(jobs.map((job) => [job.id, job]));
  for (const job of releasing)
    for (const needed of neededBy(job).flatMap((id) => byId.get(id) ?? [])) releasing.add(needed);
  return releasing;
}

/** `!startsWith(github.ref, 'refs/tags/')`, without another way to run; releases have a tag too. */
const leavesTagsOut = ({ condition }: Step) =>
  condition !== null && !condition.value.includes('||') && withoutTags.test(condition.value);
const withoutTags = /!\s*startsWith\(\s*github\.ref\s*,\s*'refs\/tags\/|github\.ref_type\s*!=\s*'tag'/i;

const runsForeignCode = /^(pull_request_target|workflow_run|issue_comment)$/;

interface Cache {
  offset: number;
  restores: boolean;
  /** The file sets it; else it is the action's default. */
  isExplicit: boolean;
}

function findCache(workflow: Workflow, step: Step): Cache | null {
  const action = getAction(step);
  if (action === null || step.uses === null) return null;
  const given = (key: string) => settingText(step.with, key);
  const cacheStep = { offset: step.uses.offset, restores: true };
  if (/^actions\/cache(\/(restore|save))?$/.test(action)) {
    const onlyLooks = given('lookup-only')?.value === 'true';
    return onlyLooks ? null : { ...cacheStep, restores: !action.endsWith('/save'), isExplicit: true };
  }
  if (action === 'swatinem/rust-cache')
    return given('lookup-only')?.value === 'true' ? null : { ...cacheStep, isExplicit: true };
  const key = cachingInputs[action];
  const value = key === undefined ? null : given(key);
  if (value !== null)
    return isOff(value.value.trim()) ? null : { ...cacheStep, offset: value.offset, isExplicit: true };
  const cachesAnyway = action === 'actions/setup-go' && (getVersion(workflow, step.uses)?.[0] ?? 0) >= 4;
  return cachesAnyway ? { ...cacheStep, isExplicit: false } : null;
}

/** Actions that use a cache, by the input that switches it on. */
const cachingInputs: Readonly<Record<string, string>> = {
  'actions/setup-dotnet': 'cache',
  'actions/setup-go': 'cache',
  'actions/setup-java': 'cache',
  'actions/setup-node': 'cache',
  'actions/setup-python': 'cache',
  'docker/build-push-action': 'cache-from',
  'ruby/setup-ruby': 'bundler-cache',
};

/** Off, possibly off, or a cache elsewhere than the platform's. */
const isOff = (text: string) => text.includes('${{') || /^(|false|never|none|type=(?!gha)[\s\S]*)$/i.test(text);

export const cacheRules: readonly Rule[] = [poisonedCache];
