import { figures, quantity, type Unit } from '../../../../server/domain/quantity.ts';
import type { Reading } from '../../../components/measurement.tsx';
import { MetricCard, MetricCards } from '../../../components/metric-card.tsx';
import { SharedParamsLink } from '../../../components/shared-params.tsx';
import type { Health, OperationResult } from './operations.ts';

type Measurement = Health['measurements'][number];

interface Props {
  measurements: readonly Measurement[];
  /** Keys of those that are shown, in their order. */
  shown: readonly string[];
  evidence: OperationResult['evidence'];
  /** What stands under the value of a key. */
  beside?: Readonly<Record<string, string>>;
}

/** Headline numbers, each with what it counts, what it leaves out and a way to its evidence. */
export function MeasurementCards({ measurements, shown, evidence, beside = {} }: Props) {
  const find = (key: string | undefined) => measurements.find((one) => one.key === key);
  return (
    <MetricCards>
      {shown
        .map(find)
        .map((one) =>
          one ? (
            <MeasurementCard
              key={one.key}
              measurement={one}
              high={find(highs[one.key])}
              beside={beside[one.key]}
              evidence={evidence}
            />
          ) : null,
        )}
    </MetricCards>
  );
}

interface CardProps extends Pick<Props, 'evidence'> {
  measurement: Measurement;
  /** Its p90. */
  high?: Measurement | undefined;
  /** What stands under the value in place of that. */
  beside?: string | undefined;
}

export const MeasurementCard = ({ measurement: one, high, beside, evidence }: CardProps) => (
  <MetricCard
    label={one.label}
    evidenceHref={evidence(one.key)}
    value={toReading(one)}
    beside={beside ?? (high && high.value !== null ? <High measurement={high} href={evidence(high.key)} /> : null)}
    computed={<Computed definition={one.definition} excluded={one.left_out} />}
  />
);

/** Medians are shown with their p90. */
const highs: Record<string, string> = {
  workflow_median_duration: 'workflow_p90_duration',
  queue_wait: 'p90_queue_wait',
};

const High = ({ measurement: { value, unit }, href }: { measurement: Measurement; href: string }) => (
  <>
    <SharedParamsLink href={href}>p90</SharedParamsLink> {quantity(value, unit as Unit)}
  </>
);

/** Where something is missing, a number is a floor, and none is not known to be none. */
function toReading({ value, unit, sample, source, lower_bound: isFloor }: Measurement): Reading {
  const shared = { unit: unit as Unit, sample, source };
  if (isFloor && value === 0)
    return { ...shared, value: null, reason: 'None known, but superseded attempts are not stored.' };
  if (isFloor) return { ...shared, value, quality: 'floor', reason: tooFew };
  return { ...shared, value, reason: sample > 0 ? tooFew : `No data: needs ${source}.` };
}

const tooFew = 'Sample too small.';

function Computed(props: { definition: string | null; excluded: Measurement['left_out'] }) {
  return (
    <>
      <p>{props.definition}</p>
      {props.excluded.length > 0 ? (
        <ul>
          {props.excluded.map(({ reason, count }) => (
            <li key={reason}>
              {figures(count)} excluded: {reason}
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
}
