import type { Context } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import type { ComparedCost, CostSide } from '../../metrics/ai-authorship/comparison/compare-cost.ts';
import { roundTo } from '../../metrics/kernel/statistics.ts';
import type { AiAuthorshipSettings } from '../../settings/ai-authorship.ts';
import { describeProgress, isCompared, readComparison } from './comparison.ts';
import { type AuthorshipCost, comparedClasses } from './comparison-schema.ts';
import type { AuthorshipInput } from './source.ts';
import { classLabels } from './summary.ts';

type Answer = Domain<typeof AuthorshipCost>;
type Row = Answer['classes'][number];

/** What the runs of marked pull requests cost beside those of others like them, by class. */
export async function authorshipCost(
  input: AuthorshipInput,
  settings: AiAuthorshipSettings,
  context: Context,
): Promise<Answer> {
  const [authored, assisted] = await Promise.all(
    comparedClasses.map((own) => readComparison({ ...input, class: own }, settings, context)),
  );
  const reads = [authored, assisted].filter((read) => read !== undefined);
  const [first] = reads;
  if (!first) throw new Error('No class is compared.');
  const { computing: _computing, failed: _failed, comparedTo: _comparedTo, ...about } = describeProgress(first);
  return {
    classes: reads.map((read): Row => {
      const { computing, failed, comparedTo } = describeProgress(read);
      const own = read.compared.class;
      const cost = read.found.stored?.answer.cost ?? null;
      return {
        class: own,
        label: classLabels[own],
        ...toRow(cost, isCompared(read.found)),
        computing,
        failed,
        comparedTo,
      };
    }),
    ...about,
  };
}

type Figures = Omit<Row, 'class' | 'label' | 'computing' | 'failed' | 'comparedTo'>;

const toRow = (cost: ComparedCost | null, isDone: boolean): Figures => ({
  ...toSide(cost?.marked ?? null),
  comparable: toSide(cost?.comparable ?? null),
  usdDifference: cost && roundTo(cost.difference, 3),
  usdInterval: cost?.interval ? { low: roundTo(cost.interval.low, 3), high: roundTo(cost.interval.high, 3) } : null,
  suppressed: cost === null && isDone,
});

const toSide = (side: CostSide | null): Figures['comparable'] => ({
  prs: side === null ? null : side.prs,
  ciMinutesPerPr: side && roundTo(side.minutes, 1),
  ciUsdPerPr: side && roundTo(side.usd, 3),
  failedUsd: side && roundTo(side.failedUsd, 3),
});
