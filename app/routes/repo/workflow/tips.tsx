import { count, counted, quantity, type Unit } from '../../../../server/domain/quantity.ts';
import { ActionLink } from '../../../charts/link.tsx';
import { Badge, type Status } from '../../../components/badge.tsx';
import type { OperationResult, Reliability } from './operations.ts';

/** What stands out, the most pressing first, each with the number that says so and where it begins to be reported. */
export function Tips({ data: { tips, runs_read }, csv }: { data: Reliability } & Pick<OperationResult, 'csv'>) {
  if (tips.length === 0)
    return <p>{runs_read > 0 ? `No anomalies in the latest ${count(runs_read, 'run')}.` : 'No runs.'}</p>;
  return (
    <>
      <ul>
        {tips.map(({ key, level, sentence, value, unit, threshold, comparison, sample, source }) => (
          <li key={key}>
            <Badge status={tipStatuses[level]}>{level}</Badge> {sentence}{' '}
            <span className="muted">{`${quantity(value, unit as Unit)}, from ${counted(sample, source)}; threshold ${comparison} ${quantity(threshold, unit as Unit)}.`}</span>
          </li>
        ))}
      </ul>
      <p className="source">
        <ActionLink href={csv('workflow-reliability', { table: 'tips' })}>CSV</ActionLink>
      </p>
    </>
  );
}

const tipStatuses: Record<Reliability['tips'][number]['level'], Status> = {
  critical: 'fail',
  warning: 'warning',
  info: 'void',
};
