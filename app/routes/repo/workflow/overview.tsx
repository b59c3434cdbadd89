import { count, figures } from '../../../../server/domain/quantity.ts';
import { Bars } from '../../../charts/bars.tsx';
import { Trend } from '../../../charts/trend.tsx';
import { Badge } from '../../../components/badge.tsx';
import { Facts } from '../../../components/facts.tsx';
import { Empty } from '../../../components/notice.tsx';
import { Columns } from '../../../components/panel.tsx';
import { longestLine } from './durations.tsx';
import type { Health, OperationResult } from './operations.ts';

interface Props extends Pick<OperationResult, 'zone'> {
  health: Health;
}

/** How the runs of a workflow went: the course of success, and outcomes. */
export function Outcome({ health, zone }: Props) {
  if (health.runs_read === 0) return <Empty cause="No runs yet." />;
  return (
    <>
      <Success course={health.course} zone={zone} />
      <Columns>
        <Outcomes outcomes={health.course.outcomes} runs={health.runs_read} />
        <Days course={health.course} />
      </Columns>
    </>
  );
}

function Success({ course: { rolling }, zone }: { course: Health['course']; zone: string }) {
  const known = rolling.filter(({ success_rate }) => success_rate !== null);
  return (
    <Trend
      title="Success rate, 7-run rolling"
      summary={known.length > 0 ? `Latest ${known.at(-1)?.success_rate} %.` : 'Needs seven runs that passed or failed.'}
      sample={`${count(rolling.length, 'run')} that passed or failed`}
      unit="percent"
      zone={zone}
      withTime
      step={longestLine}
      height={160}
      series={[
        {
          label: 'success',
          points: rolling.map(({ run_number, at, success_rate }) => ({
            at,
            value: success_rate,
            name: `Run ${run_number}`,
          })),
        },
      ]}
    />
  );
}

function Outcomes({ outcomes, runs }: { outcomes: Health['course']['outcomes']; runs: number }) {
  return (
    <section aria-label="Outcomes">
      <h3>Outcomes</h3>
      <p className="source">{`Latest ${count(runs, 'run')}, by latest attempt.`}</p>
      <Facts
        facts={[
          { label: 'Passed', value: <Badge status="pass">{figures(outcomes.passed)}</Badge> },
          { label: 'Failed', value: <Badge status="fail">{figures(outcomes.failed)}</Badge> },
          { label: 'Cancelled', value: <Badge status="void">{figures(outcomes.cancelled)}</Badge> },
          { label: 'Skipped or other', value: <Badge status="void">{figures(outcomes.other)}</Badge> },
          { label: 'Running or waiting', value: <Badge status="running">{figures(outcomes.running)}</Badge> },
        ]}
      />
    </section>
  );
}

function Days({ course: { days, timezone } }: { course: Health['course'] }) {
  return (
    <Bars
      title="Runs per day"
      summary={`By day of creation (${timezone}).`}
      sample="by latest attempt"
      zone={timezone}
      rows={days.map(({ date, covered, passed, failed, cancelled, other, running }, index) => ({
        day: date,
        values: [failed, passed, cancelled + other + running],
        running: index === days.length - 1,
        // Of the oldest day only what is among the latest runs is known.
        ...(!covered && { begins: 'the oldest run shown' }),
      }))}
      note="Other: cancelled, skipped or in progress. Partial day today."
    />
  );
}
