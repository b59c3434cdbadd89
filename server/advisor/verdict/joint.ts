import type { Band } from '../replay/band.ts';
import { isMeasured, type JointPromise, type ProposedChange } from './proposed.ts';

/**
 * A change as it is judged, beside those that were merged with it: what comes of several of one workflow cannot be told
 * apart, so that they have one promise and one result.
 */
export function asJudged(change: ProposedChange, merged: readonly ProposedChange[]): ProposedChange {
  const others = merged.filter(
    (one) => one.id !== change.id && isMeasured(one) && one.workflowId === change.workflowId,
  );
  if (others.length === 0 || !isMeasured(change) || change.workflowId === null) return change;
  return {
    ...change,
    ...(change.jointly ?? promiseOfAll([change, ...others])),
    others: others.map(({ id, kind, title }) => ({ id, kind, title })),
  };
}

/** Of changes that were not predicted together: as if each saved its share of what the others leave. */
function promiseOfAll(changes: readonly ProposedChange[]): JointPromise {
  const predicted = changes
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .flatMap(({ promised, promisedFrom }) => (promised ? [{ promised, from: promisedFrom ?? null }] : []));
  if (predicted.length === 0) return { promised: null, promisedFrom: null };
  const left = (end: keyof Band) => predicted.reduce((part, { promised }) => part * (1 - promised[end] / 100), 1);
  const saved = (end: keyof Band) => 100 * (1 - left(end));
  const starts = predicted.flatMap(({ from }) => from ?? []);
  return {
    promised: { low: saved('low'), mid: saved('mid'), high: saved('high') },
    promisedFrom: starts.length === 0 ? null : Math.max(...starts),
  };
}
