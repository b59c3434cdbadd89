import type { Context, Reply } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import { isWithin } from '../../metrics/kernel/window.ts';
import { type Batch, toBatchId } from '../../metrics/merge-queue/batches.ts';
import type { Boarding } from '../../metrics/merge-queue/boarding.ts';
import type { QueueBatches } from './entries-schema.ts';
import { type ListingInput, readListing } from './listing.ts';

type Answer = Domain<typeof QueueBatches>;

export interface BatchesInput extends ListingInput {
  size?: number | undefined;
}

/** The batches that a merge queue merged in a window, the last first. */
export async function queueBatches(input: BatchesInput, context: Context, reply: Reply): Promise<Answer> {
  const { reading, window, about } = await readListing(input, { hasJobs: false }, context, reply);
  const matching = reading.history.batches
    .filter(({ leftAt, entries }) => isWithin(leftAt, window) && entries.length === (input.size ?? entries.length))
    .sort((a, b) => comparePlaces(toPlace(a), toPlace(b)));
  const after = input.cursor === undefined ? matching : matching.filter(isAfter(input.cursor));
  const page = after.slice(0, input.limit);
  const last = page.at(-1);
  return {
    ...about,
    total: matching.length,
    batches: page.map((batch) => toRow(batch, reading.trains.ofBatch(batch))),
    nextCursor: last && after.length > page.length ? toPlace(last).join('.') : null,
  };
}

/** When a batch was merged, and its first pull request. */
type Place = readonly [number, number];

const toPlace = ({ leftAt, entries: [first] }: Batch): Place => [leftAt, first?.number ?? 0];

const comparePlaces = ([aAt, a]: Place, [bAt, b]: Place): number => bAt - aAt || b - a;

function isAfter(cursor: string): (batch: Batch) => boolean {
  const [at = 0, number = 0] = cursor.split('.').map(Number);
  return (batch) => comparePlaces([at, number], toPlace(batch)) < 0;
}

const toRow = (batch: Batch, boarding: Boarding): Answer['batches'][number] => ({
  id: toBatchId(batch),
  leftAt: batch.leftAt,
  size: batch.entries.length,
  basis: batch.basis,
  numbers: batch.entries.map(({ number }) => number),
  mergeShas: batch.entries.flatMap(({ mergeSha }) => mergeSha ?? []),
  deployedAt: typeof boarding === 'string' ? null : boarding.deployedAt,
  deployedBasis: typeof boarding === 'string' ? null : boarding.basis,
  trainId: typeof boarding === 'string' ? null : String(boarding.deployment.id),
});
