import { BadgeDelta } from '@tremor/react';
import { figures } from '../../server/domain/quantity.ts';
import type { Change } from './measurement.tsx';

/** A signed change: arrow, number and unit; green or red by what is better, grey where neither is. */
export function Delta({ by, unit, better, against, reason, window }: Change) {
  if (by === null) return <span className="source">{reason ? `No comparison: ${reason}` : 'No comparison'}</span>;
  const isFlat = Math.abs(by) < 0.5;
  const size = figures(Math.abs(by), Math.abs(by) < 10 ? 1 : 0);
  const sign = isFlat ? '±' : by > 0 ? '+' : '−';
  const badge = (
    <BadgeDelta
      deltaType={isFlat || better === 'neither' ? 'unchanged' : by > 0 ? 'increase' : 'decrease'}
      isIncreasePositive={better !== 'lower'}
      size="xs"
    >
      {`${sign}${isFlat ? '0' : size}\u00a0${unit === 'percent' ? '%' : 'points'}`}
      <span className="sr">{` against ${against}`}</span>
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
