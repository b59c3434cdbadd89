import type { Context } from '../../access/context.ts';
import { attemptMinutes, dayOf } from '../../advisor/replay/days.ts';
import { coveredDaysBetween } from '../../advisor/usable-window.ts';
import { unitsOf } from '../../advisor/verdict/measures.ts';
import { afterFrom, type Verdict } from '../../advisor/verdict/verdict.ts';
import type { Domain } from '../../api/wire.ts';
import type { Repository } from '../../metrics/kernel/facts.ts';
import { readHistory } from '../advisor/history.ts';
import type { VerdictDetail } from './schema.ts';

const maxRuns = 1000;

type Runs = Pick<Domain<typeof VerdictDetail>, 'runs' | 'truncated'>;

/** The runs that were counted before and after, as far as their jobs are stored still. */
export async function runsOf(repository: Repository, verdict: Verdict, context: Context): Promise<Runs> {
  const { baseline, startAt } = verdict;
  const [since] = baseline?.before.days ?? [];
  if (!baseline || since === undefined) return { runs: [], truncated: false };
  const codehost = await context.codehost();
  const attempts = await readHistory(codehost, repository, { since, stepNames: [] }, context);
  const until = verdict.looks.at(-1)?.at ?? afterFrom(startAt);
  const sides = [
    { side: 'before' as const, days: baseline.before.days },
    { side: 'after' as const, days: coveredDaysBetween(attempts, afterFrom(startAt), until) },
  ];
  const counted = sides.flatMap(({ side, days }) => {
    const isWithin = new Set(days);
    const within = attempts.filter((one) => one.jobs !== null && isWithin.has(dayOf(one)));
    const recorded = { attempts: within, days, defaultBranch: repository.defaultBranch ?? '' };
    return unitsOf(baseline.measure, recorded).flatMap(({ event, branch, runs }) =>
      runs.map((attempt) => ({
        ...attempt,
        side,
        stratum: branch === 'default' ? `${event}, default branch` : event,
        minutes: attemptMinutes(attempt),
      })),
    );
  });
  const newest = counted.sort((one, other) => other.arrivedAt - one.arrivedAt);
  return { runs: newest.slice(0, maxRuns), truncated: newest.length > maxRuns };
}
