import type { Instant } from '../../metrics/kernel/facts.ts';
import { textIn, valueIn, type Workflow } from '../../scan/workflow.ts';
import type { YamlScalar } from '../../scan/yaml.ts';
import { lessOften, shortestPeriodMs, timesBetween } from '../cron.ts';
import type { RecordedAttempt } from '../history.ts';
import { type Finding, kind, withoutHistory } from '../kind.ts';
import { reasonsWhere } from '../reasons.ts';
import { calendarDays } from '../replay/demand.ts';
import { withoutRuns } from '../replay/world-change.ts';
import { mayDeploy, mayScan, namesIn } from '../traits.ts';

/** Contract of the advisor, section 2.5. */
export const schedules = kind({
  id: 'ADV-03',
  title: 'Run the schedule less often',
  certainty: 'recorded',
  definition: 'Scheduled runs of a commit that the scheduled run before had already run.',
  *find({ workflow, attempts, ofRepository, defaultBranch }) {
    const patterns = listPatterns(workflow);
    const [pattern] = patterns;
    if (!pattern) return;
    const runs = attempts?.filter(isScheduled) ?? [];
    const repeats = findRepeats(runs);
    const busiestWeekday = findBusiestWeekday(ofRepository ?? [], defaultBranch);
    const next = lessOften(pattern.value, { busiestWeekday });
    if (next === null || repeats.length < minRepeatShare * runs.length) return;
    yield {
      anchor: ['on', 'schedule', 0, 'cron'],
      offset: pattern.offset,
      ...(attempts === null
        ? withoutHistory(`It runs on the schedule “${pattern.value}”, whether or not something changed.`)
        : describe(runs, repeats)),
      reasons: reasonsWhere({
        several_schedules: patterns.length > 1,
        deploys: mayDeploy(workflow, ['schedule']) || mayScan(workflow),
        watches_outside: watching.test(namesIn(workflow)) || repeats.some(({ isOther }) => isOther),
        history_absent: attempts === null,
        sample_too_small: attempts !== null && runs.length < minRuns,
      }),
      changes: [{ do: 'replace', at: ['on', 'schedule', 0, 'cron'], value: next }],
      counterfactual: {
        change: withoutRuns((recorded) => runsNotStarted(recorded.filter(isScheduled), pattern.value, next)),
        demand: calendarDays,
      },
    };
  },
});

const isScheduled = ({ event, attempt }: RecordedAttempt) => event === 'schedule' && attempt === 1;

const minRuns = 30;
/** Of the scheduled runs. */
const minRepeatShare = 0.8;
const watching = /stale|backup|sync|renew|health|monitor/;

function listPatterns({ root }: Workflow): YamlScalar[] {
  const list = valueIn(valueIn(root, 'on'), 'schedule');
  return list?.kind === 'list' ? list.items.flatMap((item) => textIn(item, 'cron') ?? []) : [];
}

/** A scheduled run of the commit that the scheduled run before had run. */
interface Repeat {
  run: RecordedAttempt;
  /** It came to something else. */
  isOther: boolean;
}

function findRepeats(runs: readonly RecordedAttempt[]): Repeat[] {
  return runs.flatMap((run, index) => {
    const before = runs[index - 1];
    if (!before || before.headSha !== run.headSha) return [];
    return [{ run, isOther: before.conclusion !== run.conclusion }];
  });
}

/** The UTC weekday with most commits, by the first run of a push to the default branch; Monday without any. */
function findBusiestWeekday(attempts: readonly RecordedAttempt[], defaultBranch: string): number {
  const pushes = attempts.filter(
    ({ event, headBranch, attempt }) => event === 'push' && headBranch === defaultBranch && attempt === 1,
  );
  // Oldest last: a map keeps the last entry of a key.
  const byCommit = new Map(pushes.toReversed().map((push) => [push.headSha, push]));
  const byWeekday = Map.groupBy(byCommit.values(), ({ arrivedAt }) => new Date(arrivedAt).getUTCDay());
  const [busiest] = [...byWeekday].sort(([, one], [, other]) => other.length - one.length);
  return busiest?.[0] ?? 1;
}

/** The runs that no time of the new pattern is nearest to, within half a period of the old one. */
function runsNotStarted(runs: readonly RecordedAttempt[], pattern: string, next: string): RecordedAttempt[] {
  const [first, last] = [runs[0]?.arrivedAt ?? 0, runs.at(-1)?.arrivedAt ?? 0];
  const halfPeriodMs = shortestPeriodMs(pattern, first) / 2;
  const distance = (index: number, at: Instant) => Math.abs((runs[index]?.arrivedAt ?? Number.POSITIVE_INFINITY) - at);
  const started = new Set<RecordedAttempt>();
  let nearest = 0;
  for (const at of timesBetween(next, first - halfPeriodMs, last + halfPeriodMs)) {
    while (distance(nearest + 1, at) <= distance(nearest, at) && nearest + 1 < runs.length) nearest++;
    const run = runs[nearest];
    if (run && distance(nearest, at) <= halfPeriodMs) started.add(run);
  }
  return runs.filter((run) => !started.has(run));
}

function describe(runs: readonly RecordedAttempt[], repeats: readonly Repeat[]) {
  return {
    text: `${repeats.length} of ${runs.length} scheduled runs ran a commit that the run before had run.`,
    sample: runs.length,
    facts: [
      { label: 'Scheduled runs', value: String(runs.length), unit: null },
      { label: 'Runs of an unchanged commit', value: String(repeats.length), unit: null },
    ],
    evidence: repeats.map(({ run }) => ({ attempt: run, why: 'the run before ran the same commit' })),
    risks: [
      {
        text: 'Runs of an unchanged commit with another result than the run before.',
        count: repeats.filter(({ isOther }) => isOther).length,
        of: repeats.length,
      },
    ],
  } satisfies Partial<Finding>;
}
