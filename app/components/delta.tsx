import { Badge, BadgeDelta } from '@tremor/react';
import { figures } from '../../server/domain/quantity.ts';
import type { Change } from './measurement.tsx';

/** Whether a change is shown as none. */
export const isFlat = (by: number): boolean => Math.abs(by) < 0.5;

/** A change with its sign: `−51 %`, `±0 points`. */
export function changeText(by: number, unit: Change['unit']): string {
  const size = figures(Math.abs(by), Math.abs(by) < 10 ? 1 : 0);
  const sign = isFlat(by) ? '±' : by > 0 ? '+' : '−';
  return `${sign}${isFlat(by) ? '0' : size}\u00a0${unit === 'percent' ? '%' : 'points'}`;
}

/** A signed change: arrow, number and unit; green or red by what is better, grey and without the arrow where neither is. */
export function Delta({ by, unit, better, against, reason, window }: Change) {
  if (by === null) return <span className="source">{reason ? `No comparison: ${reason}` : 'No comparison'}</span>;
  const words = (
    <>
      {changeText(by, unit)}
      <span className="sr">{` against ${against}`}</span>
    </>
  );
  const badge =
    better === 'neither' && !isFlat(by) ? (
      <Badge size="xs" color="void">
        {words}
      </Badge>
    ) : (
      <BadgeDelta
        deltaType={isFlat(by) ? 'unchanged' : by > 0 ? 'increase' : 'decrease'}
        isIncreasePositive={better !== 'lower'}
        size="xs"
      >
        {words}
      </BadgeDelta>
    );
  return window ? (
    <>
      {badge} <span className="source">{`in ${window}`}</span>
    </>
  ) : (
    badge
  );
}
