import type { Clock } from '../platform/clock.ts';
import type { Env } from '../platform/env.ts';
import type { StoredDestination } from '../store/otlp-destinations.ts';
import { type AttemptFacts, attemptResource, attemptSpan } from './attempt-spans.ts';
import { toReceiver, toSpanOptions } from './destination.ts';
import { openSender } from './send.ts';
import { serializeSpans } from './serialize.ts';

/** A run of a minute that ended now, of a repository that nobody has; its ids are always the same. */
const madeUp = (now: number): AttemptFacts => ({
  host: 'example.invalid',
  repoId: 1,
  runId: 1,
  attempt: 1,
  owner: 'example',
  repo: 'example',
  workflowId: 1,
  workflowName: 'Test span',
  runNumber: 1,
  event: 'workflow_dispatch',
  conclusion: 'success',
  headBranch: 'main',
  headSha: '0'.repeat(40),
  actor: null,
  createdAt: now - 60_000,
  startedAt: now - 60_000,
  completedAt: now,
});

/** Sends one made-up span; `error` is what went wrong, null when it was taken. */
export async function sendTestSpan(
  destination: StoredDestination,
  { env, clock }: { env: Env; clock: Clock },
): Promise<{ traceId: string; error: string | null }> {
  const facts = madeUp(clock.now());
  const options = toSpanOptions(destination, env);
  const span = attemptSpan(facts, options);
  const receiver = toReceiver(destination, env);
  if (receiver === null)
    return { traceId: span.traceId, error: 'The saved headers cannot be decrypted: save them again.' };
  const sender = openSender(receiver);
  try {
    const body = serializeSpans([{ resource: attemptResource(facts, options), spans: [span] }], receiver.protocol);
    const result = await sender.send(body);
    const isTaken = result.kind === 'accepted' && result.rejected === 0;
    return { traceId: span.traceId, error: isTaken ? null : (result.message ?? 'The receiver did not take the span.') };
  } finally {
    await sender.close();
  }
}
