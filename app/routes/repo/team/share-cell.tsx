import { figures } from '../../../../server/domain/quantity.ts';
import { Measurement } from '../../../components/measurement.tsx';

/** Of fewer, one more or less turns a share around. */
export const minSample = 5;

interface Props {
  value: number | null;
  /** null where it is not known. */
  sample: number | null;
  /** Why there is no value at all. */
  reason: string;
}

/** A person's share in percent with how many stand behind it; of too few it is not shown. */
export function ShareCell({ value, sample, reason }: Props) {
  const isTooFew = value !== null && sample !== null && sample < minSample;
  const why = isTooFew ? `sample too small (${figures(sample)})` : reason;
  return (
    <>
      <Measurement value={{ value: isTooFew ? null : value, unit: 'percent', reason: why }} />
      {value === null || sample === null || isTooFew ? null : <span className="muted"> ({figures(sample)})</span>}
    </>
  );
}
