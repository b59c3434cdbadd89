import { count, figures, quantity } from '../../../server/domain/quantity.ts';
import { usePageContext } from '../../components/page-context.ts';
import { SharedParamsLink } from '../../components/shared-params.tsx';
import type { MergeQueues } from './merge-queues.tsx';
import { queueHref } from './merge-queues-table.tsx';

/** What waits, and where merges take longest. */
export function QueuesAnswer({ data: { queues, waiting } }: { data: MergeQueues }) {
  const { base } = usePageContext();
  const [slowest] = queues;
  const known = queues.filter(({ length }) => length !== null).length;
  if (!slowest) return null;
  return (
    <>
      {waiting === null ? null : (
        <>
          <strong>{figures(waiting)}</strong> in {known < queues.length ? `${known} of ` : null}
          {count(queues.length, 'queue')}.{' '}
        </>
      )}
      {slowest.queue_time_p90 === null ? null : (
        <>
          Slowest: <SharedParamsLink href={queueHref(base, slowest)}>{slowest.repo}</SharedParamsLink>, 90 % merged
          within <strong>{quantity(slowest.queue_time_p90, 'minutes')}</strong>.
        </>
      )}
    </>
  );
}
