import type { Clock } from '../platform/clock.ts';
import type { Env } from '../platform/env.ts';
import type { Log } from '../platform/log.ts';
import type { Store } from '../store/orm.ts';
import type { StoredDestination } from '../store/otlp-destinations.ts';
import { type AcceptedRow, leaseMs, type OutboxRow } from '../store/otlp-outbox.ts';
import { countSpans, toBodies } from './bodies.ts';
import { toReceiver, toSpanOptions } from './destination.ts';
import { openSender, type Sender, type SendResult } from './send.ts';
import { toUnits, type Unit } from './units.ts';

export interface ExportServices {
  store: Pick<Store, 'otlpDestinations' | 'otlpOutbox' | 'sharedCounters'>;
  env: Env;
  clock: Clock;
  log: Log;
}

/** Rows that are taken at a time: about one request of attempts with many jobs, so that pages are answered in between. */
const claimed = 50;

/**
 * Sends what is due to each destination that may be sent something, until nothing is left or `mayContinue` is false;
 * answers how many spans were accepted. Rows that were taken and not sent are due again after their lease.
 */
export async function exportSpans(services: ExportServices, mayContinue: () => boolean): Promise<number> {
  const ready = await services.store.otlpDestinations.active();
  const workers = ready.flatMap((one) => Array.from({ length: one.options.parallel }, () => one));
  const accepted = await Promise.all(workers.map((one) => exportTo(one, services, mayContinue)));
  return accepted.reduce((sum, one) => sum + one, 0);
}

async function exportTo(destination: StoredDestination, services: ExportServices, mayContinue: () => boolean) {
  const { store, clock, env, log } = services;
  const receiver = toReceiver(destination, env);
  if (receiver === null) {
    const message = 'The stored headers cannot be decrypted: save them again.';
    await store.otlpDestinations.refuse(destination.id, destination.version, message);
    return 0;
  }
  const sender = openSender(receiver);
  const run = { destination, services, sender, accepted: 0 };
  try {
    while (mayContinue()) {
      const rows = await store.otlpOutbox.claim(destination.id, claimed, clock.now());
      if (rows.length === 0 || !(await exportRows(run, rows))) break;
    }
  } catch (error) {
    log.warn({ err: error, destination: destination.id }, 'spans could not be sent');
  } finally {
    await sender.close();
  }
  return run.accepted;
}

interface Run {
  destination: StoredDestination;
  services: ExportServices;
  sender: Sender;
  accepted: number;
}

/** Answers false when the destination is to be left alone for now. */
async function exportRows(run: Run, rows: readonly OutboxRow[]): Promise<boolean> {
  const { destination, services } = run;
  const { clock, env } = services;
  const { otlpOutbox } = services.store;
  const [attempts, jobs] = await Promise.all([
    otlpOutbox.attempts(rows),
    otlpOutbox.jobs(
      rows.filter(({ part }) => part === 'jobs'),
      { fetchesLists: destination.options.fetch_jobs && env.CODEHOST_TOKEN !== undefined, now: clock.now() },
    ),
  ]);
  const { ready, waiting, gone } = toUnits(rows, { attempts, jobs }, toSpanOptions(destination, env));
  if (gone.length > 0) await otlpOutbox.forget(destination.id, gone);
  if (waiting.length > 0) await otlpOutbox.postpone(destination.id, waiting, clock.now());
  const unsent = await deliver(run, ready);
  if (unsent.length > 0)
    await otlpOutbox.release(
      destination.id,
      unsent.map(({ row }) => row),
    );
  return unsent.length === 0;
}

/** Sends units in as few requests as they fit in; answers those that were not sent, because the receiver needs a pause. */
async function deliver(run: Run, taken: readonly Unit[]): Promise<readonly Unit[]> {
  const { destination, services } = run;
  const units = await keep(run, taken);
  if (units.length === 0) return [];
  const { store, clock } = services;
  const bodies = toBodies(units, destination.options.protocol);
  const sent = countSpans(units) === 0 ? [] : bodies;
  const result = sent === null ? null : await sendAll(run.sender, sent);
  if (result) countRequests(run, outcomeOf(result, units), result.kind === 'accepted' ? (sent?.length ?? 0) : 1);
  if (result?.kind === 'accepted') {
    await store.otlpOutbox.accept(destination.id, units.map(toRow), result, clock.now());
    run.accepted += countSpans(units) - result.rejected;
    return [];
  }
  if (result?.kind === 'retry') {
    await store.otlpDestinations.pause(destination.id, result, clock.now());
    return units;
  }
  if (result?.kind === 'refused') {
    await store.otlpDestinations.refuse(destination.id, destination.version, result.message);
    return units;
  }
  const [first, ...more] = units;
  if (result && first && more.length === 0) {
    const labels = { destination: String(destination.id), outcome: 'parked' };
    store.sharedCounters.add('das_otlp_spans', labels, first.spans.length);
    const outcome = { spans: first.spans.length, message: result.message };
    await store.otlpOutbox.park(destination.id, first.row, outcome, clock.now());
    return [];
  }
  const middle = Math.ceil(units.length / 2);
  const unsent = await deliver(run, units.slice(0, middle));
  return unsent.length > 0 ? [...unsent, ...units.slice(middle)] : deliver(run, units.slice(middle));
}

/** Those that are still this process's; a lease that is half over is renewed, as many requests may follow. */
async function keep({ destination, services }: Run, units: readonly Unit[]): Promise<readonly Unit[]> {
  const { clock, store } = services;
  const isFresh = units.every(({ row }) => row.leasedUntil - clock.now() > leaseMs / 2);
  if (isFresh) return units;
  return store.otlpOutbox.renew(destination.id, units, clock.now());
}

const toRow = ({ row: { runId, attempt, part }, spans, carriedOver }: Unit): AcceptedRow => ({
  runId,
  attempt,
  part,
  spans: spans.length,
  carriedOver,
});

function countRequests({ services, destination }: Run, outcome: string, requests: number): void {
  if (requests > 0)
    services.store.sharedCounters.add('das_otlp_requests', { destination: String(destination.id), outcome }, requests);
}

function outcomeOf(result: SendResult, units: readonly Unit[]): 'accepted' | 'rejected' | 'parked' {
  if (result.kind === 'accepted' && result.rejected === 0) return 'accepted';
  return result.kind === 'unacceptable' && units.length === 1 ? 'parked' : 'rejected';
}

/** One after the other, until one is not accepted. */
async function sendAll(sender: Sender, bodies: readonly Uint8Array[]): Promise<SendResult> {
  let rejected = 0;
  let message: string | null = null;
  for (const body of bodies) {
    const result = await sender.send(body);
    if (result.kind !== 'accepted') return result;
    rejected += result.rejected;
    message = result.message ?? message;
  }
  return { kind: 'accepted', rejected, message };
}
