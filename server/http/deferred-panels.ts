import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../access/context.ts';
import { Problem } from '../platform/problem.ts';
import { type AnyOperation, loadPanels, type PanelRequest, type PanelsOf } from './adapters.ts';
import { toErrorBody, toProblem } from './error-body.ts';
import { notePanel } from './page-status.ts';
import { runsScripts } from './script-cookie.ts';

/** A value, or the promise of it where the page is sent before it is known. The promise never rejects. */
export type Deferred<T> = T | Promise<T>;

export type DeferredPanels<T extends Record<string, AnyOperation>> = {
  [K in keyof T]: Deferred<PanelsOf<T>[K]>;
};

/** How long a page waits for what may be stored already: with it the page is sent complete, and with its own status. */
const patientMs = 100;

/**
 * The page adapter for browsers that run scripts: what is not known at once follows the page. All others get complete
 * pages, as `loadPanels` gives them.
 */
export async function deferPanels<T extends Record<string, AnyOperation>>(
  request: PanelRequest,
  wanted: T,
): Promise<DeferredPanels<T>> {
  if (!runsScripts(request.context.headers)) return loadPanels(request, wanted);
  const entries = await Promise.all(
    Object.entries(wanted).map(async ([name, operation]) => {
      const loading = loadPanels(request, { [name]: operation }).then((panels) => panels[name]);
      return [name, await settledSoon(loading, request.context)] as const;
    }),
  );
  return Object.fromEntries(entries) as DeferredPanels<T>;
}

/** Anything else that a page shows: known at once, or following the page where the browser runs scripts. */
export async function defer<T>(context: Context, load: () => Promise<T>, whenFailed: T): Promise<Deferred<T>> {
  const loading = load();
  if (!runsScripts(context.headers)) return loading;
  const isLate = await isPending(loading);
  return isLate ? loading.catch(() => whenFailed) : loading;
}

/** The value within a moment, errors included; after it the promise, in which an error is a panel that shows why. */
async function settledSoon<T>(loading: Promise<T>, context: Context): Promise<Deferred<T>> {
  if (!(await isPending(loading))) return loading;
  // What is not known yet makes no failure of the page.
  notePanel(context, null);
  return loading.catch((error: unknown) => failedPanel(error, context) as T);
}

const pending = Symbol('pending');

async function isPending(loading: Promise<unknown>): Promise<boolean> {
  const waited = sleep(patientMs, pending, { ref: false });
  const first = await Promise.race([loading.catch(() => null), waited]);
  return first === pending;
}

/** A page that has begun cannot redirect any more: who is signed out meanwhile reads so in the panel. */
function failedPanel(error: unknown, context: Context) {
  const cause =
    error instanceof Response ? new Problem('unauthenticated', 'Your session has ended. Sign in again.') : error;
  const problem = toProblem(cause, context);
  return { ok: false, problem: { ...toErrorBody(problem, context.requestId), status: problem.status } };
}
