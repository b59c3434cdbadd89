import type { Measurement } from '../../metrics/kernel/metric.ts';
import { type LengthSource, queueLength, type Waiting } from '../../metrics/merge-queue/buckets.ts';
import type { QueueScope } from '../../metrics/merge-queue/figures.ts';
import type { QueueReading } from './source.ts';

type Present = Pick<QueueReading, 'history' | 'live' | 'open'>;

/** The queue tells of its present itself; stays tell of it where it was not read and all that is open was. */
export const toLengthSource = ({ live, open }: Present): LengthSource => ({
  total: live ? (live.queue?.total ?? 0) : null,
  isPartial: live === null && open.partial,
});

/** Those in the queue now, and those that left it. */
export function listWaiting({ history: { stays }, live }: Present): Waiting[] {
  if (!live) return stays;
  const entries = (live.queue?.entries ?? []).map(({ number, htmlUrl, enteredAt }) => ({
    number,
    htmlUrl,
    enteredAt,
    leftAt: null,
    group: null,
    reason: null,
    isInferred: false,
  }));
  return [...entries, ...stays.filter(({ leftAt }) => leftAt !== null)];
}

/** How many are in the queue now; null where that is not known. */
export function measurePresentLength(reading: Present, scope: QueueScope): Measurement {
  const source = toLengthSource(reading);
  const measured = queueLength(scope, source)(listWaiting(reading));
  return { ...measured, sample: source.total ?? measured.sample };
}
