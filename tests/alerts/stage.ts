import { randomUUID } from 'node:crypto';
import { type AlertServices, evaluateAlerts } from '../../server/alerts/evaluate.ts';
import type { WorkflowRun } from '../../server/metrics/kernel/facts.ts';
import type { App } from '../../server/start.ts';
import type { AlertRule, AlertRuleValues } from '../../server/store/alert-rules.ts';
import { day, minute, readBackTo, run, track } from '../store/world.ts';

export type Ready = AlertServices & App['services'] & { store: NonNullable<App['services']['store']> };

/** The services of an app with a database. */
export function servicesOf({ services }: App): Ready {
  if (!services.store) throw new Error('There is no database.');
  return { ...services, store: services.store };
}

/** Adds a rule past the doors. */
export async function addRule(
  { store, clock }: Pick<Ready, 'store' | 'clock'>,
  more: Partial<AlertRuleValues> = {},
): Promise<AlertRule> {
  const values: AlertRuleValues = {
    scope: 'repo:octo/repo-1',
    metric: 'failure_rate',
    threshold: 50,
    windowHours: 24,
    minSample: null,
    channel: 'browser',
    destination: null,
    ownerNote: null,
    runbookUrl: null,
    ...more,
  };
  const [scopeKind, scopeKey = ''] = values.scope.toLowerCase().split(':');
  const by = { actor: { id: 101, login: 'ann' }, requestId: randomUUID(), now: clock.now() };
  const made = await store.alertRules.create({ ...values, scopeKind: scopeKind as 'repo' | 'org', scopeKey }, by);
  if (!made) throw new Error('There are too many rules.');
  return made.rule;
}

/** A tracked repository of octo, `repo-<number>`. */
export async function repository({ store }: Ready, number = 1) {
  const id = await track(store, number);
  const known = (await store.repositories.tracked()).find((one) => one.id === id);
  if (!known) throw new Error('It is not tracked.');
  return known;
}

let nextRun = 1;

/** Runs that ended just now, so many failed. */
export const endedRuns = (services: Ready, count: number, failed: number): WorkflowRun[] =>
  Array.from({ length: count }, (_, index) => {
    const createdAt = services.clock.now() - 30 * minute + index * 1000;
    return run(nextRun++, {
      createdAt,
      startedAt: createdAt,
      updatedAt: createdAt + minute,
      status: 'completed',
      conclusion: index < failed ? 'failure' : 'success',
    });
  });

/** Stores runs and evaluates the rules over them, as a synchronization that read 90 days does. */
export async function bring(services: Ready, runs: WorkflowRun[], number = 1) {
  const { store, clock } = services;
  const known = await repository(services, number);
  await store.runs.ingest(known.id, runs, { syncedAt: clock.now() });
  await readBackTo(store, known.id, clock.now() - 90 * day, clock.now());
  return evaluateAlerts(known, 'workflow-runs', 'sync', services);
}
