import { duration, figures } from '../../../server/domain/quantity.ts';
import { Badge } from '../../components/badge.tsx';
import { Facts } from '../../components/facts.tsx';
import { Form } from '../../components/form.tsx';
import { Moment } from '../../components/moment.tsx';
import { usePageContext } from '../../components/page-context.ts';
import type { Destination, TraceSettings } from './destination-form.tsx';

type Backfill = TraceSettings['backfills'][number];

const states = {
  running: { status: 'running', label: 'Running' },
  paused: { status: 'warning', label: 'Paused' },
  done: { status: 'pass', label: 'Done' },
  cancelled: { status: 'void', label: 'Cancelled' },
} as const;

/** How far each backfill is, the newest first, and what can be done with it. */
export function BackfillList({ backfills, destinations }: Pick<TraceSettings, 'backfills' | 'destinations'>) {
  return backfills.map((one) => (
    <BackfillProgress
      key={one.id}
      backfill={one}
      destination={destinations.find(({ id }) => id === one.destination_id)}
    />
  ));
}

function BackfillProgress({ backfill, destination }: { backfill: Backfill; destination: Destination | undefined }) {
  const { state, done, total, rejected, per_second: perSecond, remaining_seconds: remaining } = backfill;
  return (
    <article>
      <h3>
        {destination?.name}: <Moment at={backfill.from} as="date" /> to{' '}
        <Moment at={Date.parse(backfill.to) - 1} as="date" />
        {backfill.repo ? `, ${backfill.repo}` : ''}
      </h3>
      <p>
        <Badge status={states[state].status}>{states[state].label}</Badge>{' '}
        <progress max={Math.max(1, total)} value={done} aria-label="Attempts sent" />
      </p>
      <Facts
        facts={[
          { label: 'Rejected spans', value: figures(rejected) },
          { label: 'Attempts', value: `${figures(done)} of ${figures(total)}` },
          ...(perSecond === null ? [] : [{ label: 'Per second', value: figures(perSecond) }]),
          ...(remaining === null ? [] : [{ label: 'Remaining', value: duration(remaining * 1000) }]),
          { label: 'Started', value: <Started backfill={backfill} /> },
          ...(backfill.finished_at ? [{ label: 'Ended', value: <Moment at={backfill.finished_at} /> }] : []),
        ]}
      />
      {state === 'running' || state === 'paused' ? <Actions backfill={backfill} /> : null}
    </article>
  );
}

const Started = ({ backfill: { started_at: at, started_by: by } }: { backfill: Backfill }) => (
  <>
    <Moment at={at} /> by {by}
  </>
);

function Actions({ backfill: { id, state } }: { backfill: Backfill }) {
  const { csrf } = usePageContext();
  const change = (action: string, label: string, danger = false) => (
    <Form
      csrf={csrf}
      intent="change-backfill"
      submit={label}
      hidden={{ id, action }}
      label={`${label} backfill ${id}`}
      danger={danger}
      inline
    />
  );
  return (
    <div className="form in-row">
      {state === 'running' ? change('pause', 'Pause') : change('resume', 'Resume')}
      {change('cancel', 'Cancel', true)}
    </div>
  );
}
