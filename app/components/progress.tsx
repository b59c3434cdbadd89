import { ProgressBar } from '@tremor/react';
import { figures } from '../../server/domain/quantity.ts';

interface ProgressProps {
  label: string;
  done: number;
  total: number;
  noun: string;
}

/** How much of something is done: `12 of 40 repositories`. */
export function Progress({ label, done, total, noun }: ProgressProps) {
  const percent = total === 0 ? 0 : (100 * done) / total;
  return (
    <div role="progressbar" aria-label={label} aria-valuenow={done} aria-valuemin={0} aria-valuemax={total}>
      <p className="source">{`${figures(done)} of ${figures(total)} ${noun}`}</p>
      <ProgressBar value={percent} />
    </div>
  );
}
