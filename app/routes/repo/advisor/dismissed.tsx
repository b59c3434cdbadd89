import { Form, rejectedBy, type Submitted } from '../../../components/form.tsx';
import { Moment } from '../../../components/moment.tsx';
import { Notice } from '../../../components/notice.tsx';
import { usePageContext } from '../../../components/page-context.ts';
import { reasonLabels } from './dismiss-form.tsx';

export interface Dismissal {
  reason: keyof typeof reasonLabels;
  note: string | null;
  until: string | null;
  by: string;
  at: string;
}

/** That a recommendation is dismissed: who, when and why, with a button that restores it. */
export function Dismissed({ dismissal, submitted }: { dismissal: Dismissal; submitted: Submitted | null }) {
  const { csrf } = usePageContext();
  const { reason, note, until, by, at } = dismissal;
  const rejected = rejectedBy(submitted, 'restore');
  return (
    <>
      <Notice title="Dismissed.">
        {reasonLabels[reason]}. By {by} on <Moment at={at} as="date" />
        {until === null ? '' : `, until ${until}`}.{note === null ? '' : ` “${note}”`}
      </Notice>
      {rejected ? <Notice tone="problem">{rejected.problem.error}</Notice> : null}
      <Form csrf={csrf} intent="restore" submit="Restore" label="Restore this recommendation" inline />
    </>
  );
}
