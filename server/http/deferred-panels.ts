import { setTimeout as sleep } from 'node:timers/promises';
import { parseCookie } from 'cookie';
import type { Context } from '../access/context.ts';
import { Problem } from '../platform/problem.ts';
import { type AnyOperation, loadPanels, type PanelRequest, type PanelsOf } from './adapters.ts';
import { toErrorBody, toProblem } from './error-body.ts';
import { notePanel } from './page-status.ts';

/** A value, or the promise of it where the page is sent before it is known. The promise never rejects. */
export type Deferred<T> = T | Promise<T>;

/** How long a page waits for what may be stored already: with it the page is sent whole, and with its own status. */
const patientMs = 100;

/**
 * The page adapter for panels that may follow their page: for a browser that runs scripts, what is not known within a
 * moment is a promise, so that the frame of the page can be sent. All others get whole pages, as `loadPanels` has it.
 */
export async function deferPanels<T extends Record<string, AnyOperation>>(
  request: PanelRequest,
  wanted: T,
): Promise<{ panels: Deferred<PanelsOf<T>> }> {
  const { context } = request;
  const loading = loadPanels(request, wanted);
  if (!runsScripts(context.headers) || !(await isPending(loading))) return { panels: await loading };
  // What is not known yet makes no failure of the page.
  notePanel(context, null);
  return { panels: loading.catch((error: unknown) => failAll(wanted, error, context)) };
}

const pending = Symbol('pending');

async function isPending(loading: Promise<unknown>): Promise<boolean> {
  const waited = sleep(patientMs, pending, { ref: false });
  const first = await Promise.race([loading.catch(() => null), waited]);
  return first === pending;
}

/** A page that has begun cannot redirect any more: who is signed out meanwhile reads so in its panels. */
function failAll<T extends Record<string, AnyOperation>>(wanted: T, error: unknown, context: Context): PanelsOf<T> {
  const ended = new Problem('unauthenticated', 'Your session has ended. Sign in again.');
  const problem = toProblem(error instanceof Response ? ended : error, context);
  const failed = { ok: false, problem: { ...toErrorBody(problem, context.requestId), status: problem.status } };
  return Object.fromEntries(Object.keys(wanted).map((name) => [name, failed])) as PanelsOf<T>;
}

/** Set once by the script of a page, in its owner's browser. */
export const scriptCookie = 'das_scripts';

/** Whether this browser has shown that its scripts run, so that parts of a page may follow the page. */
export const runsScripts = (headers: Headers): boolean =>
  parseCookie(headers.get('cookie') ?? '')[scriptCookie] === '1';
