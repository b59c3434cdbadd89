import { countedUpTo, waitingAtMost } from '../../../server/domain/trace-counts.ts';
import { Badge } from '../../components/badge.tsx';
import { Facts } from '../../components/facts.tsx';
import { Form } from '../../components/form.tsx';
import { Moment } from '../../components/moment.tsx';
import { usePageContext } from '../../components/page-context.ts';
import type { Destination } from './destination-form.tsx';

const states = {
  active: { status: 'pass', label: 'Active' },
  waiting: { status: 'warning', label: 'Receiver unavailable' },
  refused: { status: 'fail', label: 'Rejected by the receiver' },
  off: { status: 'void', label: 'Off' },
} as const;

const count = (value: number) => value.toLocaleString('en');

const countUpTo = (value: number) => countedUpTo(value, waitingAtMost);

/** How a destination does, what waits for it, and what can be done with it. */
export function DestinationState({ destination }: { destination: Destination }) {
  const { csrf } = usePageContext();
  const { id, name, state, source, next_try_at: nextTryAt, last_success_at: lastSuccessAt } = destination;
  const { rejected_spans: rejected, parked, taken_in_part: takenInPart, dropped } = destination;
  const { carried_over_jobs: carriedOver, without_jobs: withoutJobs } = destination;
  const isRejecting = takenInPart > 0 || parked > 0;
  return (
    <>
      <p>
        <Badge status={states[state].status}>{states[state].label}</Badge> {destination.endpoint}
      </p>
      <Facts
        facts={[
          { label: 'Last sent', value: lastSuccessAt ? <Moment at={lastSuccessAt} /> : 'nothing yet' },
          { label: 'Spans sent', value: count(destination.accepted_spans) },
          { label: 'Due now', value: <Due destination={destination} /> },
          { label: 'Waiting for jobs', value: countUpTo(destination.waiting) },
          ...(nextTryAt ? [{ label: 'Next try', value: <Moment at={nextTryAt} /> }] : []),
          ...(rejected > 0 ? [{ label: 'Rejected spans', value: count(rejected) }] : []),
          ...(takenInPart > 0
            ? [{ label: 'Partial success', value: `${countUpTo(takenInPart)} parts of attempts` }]
            : []),
          ...(parked > 0 ? [{ label: 'Not accepted', value: `${countUpTo(parked)} parts of attempts` }] : []),
          ...(carriedOver > 0 ? [{ label: 'Jobs carried over', value: count(carriedOver) }] : []),
          ...(withoutJobs > 0 ? [{ label: 'Attempts without jobs', value: count(withoutJobs) }] : []),
          ...(dropped > 0 ? [{ label: 'Deleted unsent', value: count(dropped) }] : []),
          ...(destination.last_error ? [{ label: 'Last error', value: destination.last_error }] : []),
          ...(destination.header_names.length > 0
            ? [{ label: 'Headers', value: destination.header_names.join(', ') }]
            : []),
        ]}
      />
      {source === 'env' ? <p className="source">Set by OTLP_ENDPOINT, and changed there.</p> : null}
      <div className="form in-row">
        <Form csrf={csrf} intent="test" submit="Send test span" hidden={{ id }} label={`Test ${name}`} inline />
        {isRejecting || state === 'refused' ? (
          <Form
            csrf={csrf}
            intent="resend"
            submit={state === 'refused' ? 'Try again' : 'Send again'}
            hidden={{ id }}
            label={`Send again to ${name}`}
            inline
          />
        ) : null}
        {source === 'settings' ? (
          <>
            <a href={`/settings/telemetry?edit=${id}`}>Change</a>{' '}
            <Form csrf={csrf} intent="delete" submit="Delete" hidden={{ id }} label={`Delete ${name}`} inline danger />
          </>
        ) : null}
      </div>
    </>
  );
}

function Due({ destination: { due, oldest_due_at: at } }: { destination: Destination }) {
  if (due === 0 || at === null) return '0';
  return (
    <>
      {countUpTo(due)}, the oldest since <Moment at={at} />
    </>
  );
}
