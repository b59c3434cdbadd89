import type { Context, Reply } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import type { Instant, RepositoryName } from '../../metrics/kernel/facts.ts';
import type { Window } from '../../metrics/kernel/window.ts';
import { noteFreshness, noteListing } from '../kernel/notes.ts';
import { repositoryFacts } from '../repositories/facts.ts';
import type { QueueListing } from './entries-schema.ts';
import { countUnread, isUsed, toQueueCoverage } from './report.ts';
import { type QueueReading, readQueueOf } from './source.ts';
import { assertSpan, type SpanInput, toWindow } from './span.ts';

export interface ListingInput extends RepositoryName, SpanInput {
  branch?: string | undefined;
  /** What an answer gave as the begin of the next page. */
  cursor?: string | undefined;
  limit: number;
}

/** What lists of a queue are taken from. */
export interface Listed {
  reading: QueueReading;
  window: Window;
  /** What every list says of itself. */
  about: Domain<typeof QueueListing>;
}

/** Reads the queue of a branch for a list of what happened in it in a window, with jobs where checks are listed. */
export async function readListing(
  input: ListingInput,
  { hasJobs }: { hasJobs: boolean },
  context: Context,
  reply: Reply,
): Promise<Listed> {
  assertSpan(input, context.services.clock.now());
  const facts = await repositoryFacts(input, context, reply);
  const jobsOf = hasJobs ? (asOf: Instant) => toWindow(input, asOf) : null;
  const reading = await readQueueOf(facts, { branch: input.branch, jobsOf }, context);
  const { history, set, live, open, branches } = reading;
  const window = toWindow(input, set.asOf);
  const unread = countUnread(reading, window);
  const used = isUsed(reading);
  const coverage = toQueueCoverage(reading, used && unread > 0);
  noteListing(reply, { ...set, partial: !coverage.complete });
  noteFreshness(reply, open);
  if (live) noteFreshness(reply, live);
  return {
    reading,
    window,
    about: {
      used,
      branch: history.branch || null,
      branches,
      window,
      pullRequestsUnread: unread,
      coverage,
      generatedAt: live ? Math.min(live.asOf, set.asOf) : set.asOf,
      dataSource: set.source,
    },
  };
}
