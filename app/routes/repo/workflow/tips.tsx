import { count, counted, quantity, type Unit } from '../../../../server/domain/quantity.ts';
import { ActionLink, Link } from '../../../charts/link.tsx';
import { Badge, type Status } from '../../../components/badge.tsx';
import { withChoices } from '../../../components/choices.ts';
import { usePageContext, useSearch } from '../../../components/page-context.ts';
import type { OperationResult, Reliability } from './operations.ts';

/** What stands out, the most pressing first, each with the number that says so and where it begins to be reported. */
export function Tips({ data, csv }: { data: Reliability } & Pick<OperationResult, 'csv'>) {
  const { tips } = data;
  const { features, hidden } = usePageContext();
  const areAnomaliesShown = features.includes('anomalyDetection') && !hidden.includes('anomalyDetection');
  const unusual = areAnomaliesShown ? countUnusual(data) : '';
  const found = unusual ? <Found unusual={unusual} /> : null;
  if (tips.length === 0) return found ?? <p>{describeNone(data, areAnomaliesShown)}</p>;
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
      {found}
      <p className="source">
        <ActionLink href={csv('workflow-reliability', { table: 'tips' })}>CSV</ActionLink>
      </p>
    </>
  );
}

const Found = ({ unusual }: { unusual: string }) => (
  <p>
    <Link href={withChoices(useSearch(), { tab: 'reliability' })}>{unusual}</Link>
  </p>
);

/** A run may be unusual twice, by its duration and by its queue wait. */
function countUnusual({ anomalies, level_shifts: shifts }: Reliability): string {
  const runs = new Set(anomalies.map(({ run }) => run.id)).size;
  return [runs > 0 ? count(runs, 'unusual run') : '', shifts.length > 0 ? count(shifts.length, 'lasting change') : '']
    .filter(Boolean)
    .join(', ');
}

/** Without a baseline no run could be told to be unusual. */
function describeNone({ runs_read: runs, baselines }: Reliability, areAnomaliesShown: boolean): string {
  if (runs === 0) return 'No runs.';
  const what = areAnomaliesShown && baselines.length > 0 ? 'anomalies' : 'highlights';
  return `No ${what} in the latest ${count(runs, 'run')}.`;
}

const tipStatuses: Record<Reliability['tips'][number]['level'], Status> = {
  critical: 'fail',
  warning: 'warning',
  info: 'void',
};
