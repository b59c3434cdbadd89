import { Badge, BadgeDelta } from '@tremor/react';
import { figures } from '../../server/domain/quantity.ts';
import { verdictLabels } from '../../server/domain/verdict.ts';
import type { Change } from './measurement.tsx';

/** Whether a change is shown as none. */
export const isFlat = (by: number): boolean => Math.abs(by) < 0.5;

/**
 * Whether the data show that the value differs: only then a change has a tone and an arrow. A mean may have moved the
 * other way than the median that was judged.
 */
export const isShown = ({ by, verdict }: Pick<Change, 'by' | 'verdict'>): boolean =>
  by !== null && !isFlat(by) && verdict === (by > 0 ? 'higher' : 'lower');

/** A change with its sign: `−51 %`, `±0 points`. */
export function changeText(by: number, unit: Change['unit']): string {
  const size = figures(Math.abs(by), Math.abs(by) < 10 ? 1 : 0);
  const sign = isFlat(by) ? '±' : by > 0 ? '+' : '−';
  return `${sign}${isFlat(by) ? '0' : size}\u00a0${unit === 'percent' ? '%' : 'points'}`;
}

/**
 * A signed change: arrow, number and unit; green or red by what is better. Grey and without the arrow where neither is,
 * and where the data show no difference.
 */
export function Delta({ by, unit, better, verdict, against, reason, window }: Change) {
  if (by === null) return <span className="source">{reason ? `No comparison: ${reason}` : 'No comparison'}</span>;
  const isTold = isShown({ by, verdict });
  const why = isTold ? undefined : whyUntold(verdict);
  const words = (
    <>
      {changeText(by, unit)}
      <span className="sr">{[` against ${against}`, why?.toLowerCase()].filter(Boolean).join(', ')}</span>
    </>
  );
  const badge =
    isTold && better !== 'neither' ? (
      <BadgeDelta deltaType={by > 0 ? 'increase' : 'decrease'} isIncreasePositive={better === 'higher'} size="xs">
        {words}
      </BadgeDelta>
    ) : (
      <Badge size="xs" color="void" title={why}>
        {words}
      </Badge>
    );
  return window ? (
    <>
      {badge} <span className="source">{`in ${window}`}</span>
    </>
  ) : (
    badge
  );
}

/** Why a change has no tone. */
export function whyUntold(verdict: Change['verdict']): string {
  if (verdict === undefined) return 'Not tested';
  return verdictLabels[verdict === 'not_enough_data' ? verdict : 'no_difference_shown'];
}
