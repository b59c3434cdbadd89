import { setTimeout as sleep } from 'node:timers/promises';
import { parseCookie } from 'cookie';
import type { Context } from '../access/context.ts';
import { Problem } from '../platform/problem.ts';
import {
  type AnyOperation,
  type FailedPanel,
  loadPanels,
  loadStored,
  type Panel,
  type PanelRequest,
  type PanelsOf,
  toFailedPanel,
} from './adapters.ts';
import { toProblem } from './error-body.ts';
import { notePanel } from './page-status.ts';

/** A value, or the promise of it where the page is sent before it is known. The promise never rejects. */
export type Deferred<T> = T | Late<T>;

/** With what is stored of it and shown until then; null where nothing is. */
type Late<T> = Promise<T> & { stored?: Promise<T | null> };

/** How long a page waits for what may be stored already: with it the page is sent whole, and with its own status. */
const patientMs = 100;

/**
 * The page adapter for panels that may follow their page: for a browser that runs scripts, what is not known within a
 * moment is a promise, so that the frame of the page can be sent. All others get whole pages, as `loadPanels` has it.
 */
export const deferPanels = <T extends Record<string, AnyOperation>>(
  request: PanelRequest,
  wanted: T,
): Promise<{ panels: Deferred<PanelsOf<T>> }> => deferAnswers(request, loadPanels(request, wanted), failAll(wanted));

/**
 * The same for panels of facts that are stored: where fresh ones take longer, the stored ones are shown with their age
 * until these come. Nothing more is requested for that. Their operations have no limit, which would be counted twice.
 */
export function deferStoredPanels<T extends Record<string, AnyOperation>>(
  request: PanelRequest,
  wanted: T,
): Promise<{ panels: Deferred<PanelsOf<T>> }> {
  const load = () => loadPanels(request, wanted);
  return deferAnswers(request, load(), failAll(wanted), load);
}

const failAll =
  <T extends Record<string, AnyOperation>>(wanted: T) =>
  (failed: FailedPanel) =>
    Object.fromEntries(Object.keys(wanted).map((name) => [name, failed])) as PanelsOf<T>;

const deferredPages = new WeakSet<Context>();

/** Whether parts of the page of this request follow it. */
export const hasDeferredParts = (context: Context): boolean => deferredPages.has(context);

/**
 * The same for answers that are loaded in another way; `whenFailed` is what is shown where none of them came, and
 * `loadAgain`, from what is stored, what is shown until they come.
 */
export async function deferAnswers<T>(
  { context, isOptional = false }: Pick<PanelRequest, 'context' | 'isOptional'>,
  loading: Promise<T>,
  whenFailed: (failed: FailedPanel) => T,
  loadAgain?: () => Promise<T>,
): Promise<{ panels: Deferred<T> }> {
  if (!runsScripts(context.headers) || !(await isPending(loading))) return { panels: await loading };
  deferredPages.add(context);
  // What is not known yet makes no failure of the page.
  if (!isOptional) notePanel(context, null);
  const late: Late<T> = loading.catch((error: unknown) => whenFailed(failPanel(error, context)));
  if (loadAgain) late.stored = loadStored(loadAgain);
  return { panels: late };
}

/** Throws the status of a panel that says that nothing is at this address, where that is known before the page is sent. */
export function assertFound(
  panels: Deferred<Partial<Record<string, Panel<unknown> | null>>>,
  statuses = [400, 404],
): void {
  if (panels instanceof Promise) return;
  for (const answer of Object.values(panels))
    if (answer && !answer.ok && statuses.includes(answer.problem.status))
      throw new Response(null, { status: answer.problem.status });
}

/** How long a page waits for a part that it can do without. */
const dispensableMs = 2000;

/** An answer that a page can do without; null where it is not there within two seconds. It goes on to be computed. */
export function soonOrNull<T>(loading: Promise<T>): Promise<T | null> {
  // Nobody may wait for it any more.
  loading.catch(() => {});
  return Promise.race([loading, sleep(dispensableMs, null, { ref: false })]);
}

const pending = Symbol('pending');

async function isPending(loading: Promise<unknown>): Promise<boolean> {
  const waited = sleep(patientMs, pending, { ref: false });
  const first = await Promise.race([loading.catch(() => null), waited]);
  return first === pending;
}

/** A page that has begun cannot redirect any more: who is signed out meanwhile reads so in its panels. */
function failPanel(error: unknown, context: Context): FailedPanel {
  const ended = new Problem('unauthenticated', 'Your session has ended. Sign in again.');
  return toFailedPanel(toProblem(error instanceof Response ? ended : error, context), context);
}

/** Set once by the script of a page, in its owner's browser. */
export const scriptCookie = 'das_scripts';

/** Whether this browser has shown that its scripts run, so that parts of a page may follow the page. */
export const runsScripts = (headers: Headers): boolean =>
  parseCookie(headers.get('cookie') ?? '')[scriptCookie] === '1';
