import type { Context } from '../../access/context.ts';
import type { Verdict } from '../../domain/verdict.ts';
import { tallyValues } from '../../metrics/kernel/bootstrap.ts';
import { compareQuantiles, judgeChange } from '../../metrics/kernel/comparison.ts';
import type { Window } from '../../metrics/kernel/window.ts';
import type { CiScope, ScopeInput } from '../ci/reading.ts';
import { toSeed } from './seed.ts';
import { findSource } from './source.ts';

interface ComparedScope {
  scope: CiScope;
  /** null where nothing is compared. */
  compared: Window | null;
  range: string;
  input: ScopeInput;
}

/** Whether the durations of a scope differ from those of another window, as the comparison of periods judges them. */
export async function judgeDurations(
  { scope, compared, range, input }: ComparedScope,
  context: Context,
): Promise<Record<'medianVerdict' | 'p90Verdict', Verdict>> {
  if (compared === null) return { medianVerdict: 'not_enough_data', p90Verdict: 'not_enough_data' };
  const source = findSource(scope, context);
  const repoIds = [...scope.repositories.keys()];
  const read = async (window: Window) =>
    tallyValues((await source.durations(repoIds, window)).map(({ value, count }) => [value, count]));
  const [before, now] = await Promise.all([read(compared), read(scope.window)]);
  const judge = (q: number, metric: string) => {
    const seed = toSeed({ scope: input.repo ?? `${input.org ?? ''}/`, metric, periods: [range] });
    return judgeChange(compareQuantiles(before, now, q, seed), 'milliseconds');
  };
  return { medianVerdict: judge(0.5, 'duration_p50'), p90Verdict: judge(0.9, 'duration_p90') };
}
