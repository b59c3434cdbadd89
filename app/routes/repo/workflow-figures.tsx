import type { Unit } from '../../charts/quantity.ts';
import { Trend } from '../../charts/trend.tsx';
import { MetricCard, MetricCards } from '../../components/metric-card.tsx';
import { Empty } from '../../components/notice.tsx';
import type { Route } from './+types/workflow';
import type { Run } from './run-table.tsx';

type Health = Route.ComponentProps['loaderData']['health'];

interface Props {
  runs: Run[];
  health: Health;
  zone: string;
  /** Where a number is opened, by its key. */
  evidence(metric: string): string;
}

/** The headline numbers of the runs shown, and how long each took. */
export function WorkflowFigures({ runs, health, zone, evidence }: Props) {
  if (runs.length === 0) return <Empty cause="This workflow has not run yet." />;
  const measurements = health.ok ? health.data.measurements : [];
  const ended = runs.filter((run) => run.outcome === 'pass' || run.outcome === 'fail').toReversed();
  return (
    <>
      <MetricCards>
        {measurements.map((one) => (
          <MetricCard
            key={one.key}
            label={one.label}
            evidenceHref={evidence(one.key)}
            of={{
              value: one.value,
              unit: one.unit as Unit,
              sample: one.sample,
              source: one.source,
              reason: `Nothing to count: needs ${one.source}.`,
            }}
            computed={<Computed definition={one.definition} leftOut={one.left_out} />}
          />
        ))}
      </MetricCards>
      <Trend
        title="Duration of runs that passed or failed"
        summary={`Durations of ${ended.length} runs, oldest first.`}
        sample={`${ended.length} of ${runs.length} runs`}
        unit="milliseconds"
        zone={zone}
        withTime
        series={[
          { label: 'duration', points: ended.map((run) => point(run, run.duration_ms)) },
          { label: 'queue wait', points: ended.map((run) => point(run, run.queue_wait_ms)) },
        ]}
      />
    </>
  );
}

const point = (run: Run, value: number | null) => ({
  at: run.created_at,
  value,
  name: `Run ${run.run_number}`,
  ...(run.html_url !== '#' && { href: run.html_url }),
});

function Computed(props: { definition: string | null; leftOut: { reason: string; count: number }[] }) {
  return (
    <>
      <p>{props.definition}</p>
      {props.leftOut.length > 0 ? (
        <ul>
          {props.leftOut.map(({ reason, count }) => (
            <li key={reason}>
              {count} left out: {reason}
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
}
