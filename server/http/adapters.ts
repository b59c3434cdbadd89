import { redirect } from 'react-router';
import type { z } from 'zod';
import type { Context } from '../access/context.ts';
import type { Operation } from '../api/operation.ts';
import { withinTime } from '../platform/pending-requests.ts';
import { Problem } from '../platform/problem.ts';
import { isStoredOnly, withStoredOnly } from '../platform/stored-only.ts';
import { type PanelNotes, readNotes } from '../reports/kernel/answer-notes.ts';
import { saveFlash } from './done.ts';
import { type ErrorBody, toErrorBody, toProblem } from './error-body.ts';
import { emptyReply, execute } from './execute.ts';
import { assertFormToken } from './form-token.ts';
import { parseInput, readForm, readQuery } from './input.ts';
import { isHidden } from './page-access.ts';
import { notePanel } from './page-status.ts';
import { hiddenFeatures } from './preferences.ts';
import { redirectFor } from './redirect.ts';
import { parsedValues } from './texts.ts';

export type Panel<T> =
  | { ok: true; data: T; notes: PanelNotes }
  | { ok: false; problem: Omit<ErrorBody, 'code'> & { code: ErrorBody['code'] | 'hidden'; status: number } };

// biome-ignore lint/suspicious/noExplicitAny: an operation of any input serves here; its own types are inferred from it.
export type AnyOperation = Operation<any, any>;
type OutputOf<T> = T extends Operation<infer _In, infer Out> ? z.output<Out> : never;
export type PanelsOf<T extends Record<string, AnyOperation>> = { [K in keyof T]: Panel<OutputOf<T[K]>> };

export interface PanelRequest {
  context: Context;
  params: Record<string, string | undefined>;
  /** Input that is not in the address, or replaces what is; `undefined` removes it. */
  extra?: Record<string, string | undefined>;
  /** What the address calls input that has another name there: a problem names it so. */
  called?: Record<string, string>;
  /** How much longer than usual the page waits for it. */
  extraTimeMs?: number;
  /** Shown beside the subject of the page: alone it does not make the page a success. */
  isOptional?: boolean;
}

const panelTimeMs = 12_000;

/** The page adapter: executes operations in parallel; one that fails does not fail the others. */
export async function loadPanels<T extends Record<string, AnyOperation>>(
  request: PanelRequest,
  wanted: T,
): Promise<PanelsOf<T>> {
  const answers = await Promise.all(
    Object.entries(wanted).map(async ([name, operation]) => [name, await panel(operation, request)] as const),
  );
  return Object.fromEntries(answers) as PanelsOf<T>;
}

/** One operation for a page. A caller who is not signed in, or in no group, is sent on. */
export async function panel<In extends z.ZodObject, Out extends z.ZodType>(
  operation: Operation<In, Out>,
  request: PanelRequest,
): Promise<Panel<z.output<Out>>> {
  if (isStoredOnly()) return storedPanel(operation, request);
  const { context, params, extra, called = {}, extraTimeMs = 0, isOptional = false } = request;
  const reply = emptyReply();
  const note = (problem: Problem | null) => (isOptional ? undefined : notePanel(context, problem));
  if (isHidden(operation.access, hiddenFeatures(context))) return hidden(context);
  try {
    const work = () => execute(operation, () => toInput(operation, { context, params, extra }), context, reply);
    const data = await withinTime(work, panelTimeMs + extraTimeMs, (cause) => tooLate(operation, cause));
    note(null);
    return { ok: true, data: data as z.output<Out>, notes: readNotes(reply.headers) };
  } catch (error) {
    const problem = toProblem(error, context);
    const out = redirectFor(context, problem);
    if (out) throw out;
    note(problem);
    return nameInput(toFailedPanel(problem, context), called);
  }
}

function toInput({ input }: AnyOperation, { context, params, extra }: PanelRequest) {
  const query = readQuery(context.url.searchParams, params);
  return { ...query, values: parsedValues(input, { ...query.values, ...extra }) };
}

/** What panels are made of, from what is stored, with its age in their notes; null where that is not enough for all. */
export async function loadStored<T>(load: () => Promise<T>): Promise<T | null> {
  try {
    return await withStoredOnly(load);
  } catch {
    // Whatever it is, the fresh answer says it.
    return null;
  }
}

/** What is hidden, or what the caller may not see, is so of stored facts as well. */
async function storedPanel<In extends z.ZodObject, Out extends z.ZodType>(
  operation: Operation<In, Out>,
  request: PanelRequest,
): Promise<Panel<z.output<Out>>> {
  const { context } = request;
  if (isHidden(operation.access, hiddenFeatures(context))) return hidden(context);
  const reply = emptyReply();
  try {
    const data = await execute(operation, () => toInput(operation, request), context, reply);
    return { ok: true, data: data as z.output<Out>, notes: readNotes(reply.headers) };
  } catch (error) {
    if (error instanceof Problem && error.code === 'forbidden') return toFailedPanel(error, context);
    throw error;
  }
}

/** What is wrong with the choices of a page's address that none of its operations checks; null where nothing is. */
export function findRejected({ context }: PanelRequest, choices: z.ZodObject): FailedPanel | null {
  const { values, ...rest } = readQuery(context.url.searchParams);
  try {
    parseInput({ input: choices }, { ...rest, values: parsedValues(choices, values) }, emptyReply());
    return null;
  } catch (error) {
    const problem = toProblem(error, context);
    notePanel(context, problem);
    return toFailedPanel(problem, context);
  }
}

export type FailedPanel = Extract<Panel<never>, { ok: false }>;

export const toFailedPanel = (problem: Problem, { requestId, services }: Context): FailedPanel => ({
  ok: false,
  problem: { ...toErrorBody(problem, requestId, services.env), status: problem.status },
});

/** `range is neither 30 nor 90` where the operation says `days`. */
function nameInput({ problem }: FailedPanel, called: Record<string, string>): FailedPanel {
  const name = (text: string, [own, inAddress]: [string, string]) =>
    text.replace(new RegExp(`\\b${own}\\b`), inAddress);
  const error = problem.status === 400 ? Object.entries(called).reduce(name, problem.error) : problem.error;
  return { ok: false, problem: { ...problem, error } };
}

/** What the caller does not want to see is not requested. */
function hidden(context: Context): Panel<never> {
  notePanel(context, null);
  const error = 'Hidden by your settings.';
  return { ok: false, problem: { error, code: 'hidden', request_id: context.requestId, status: 403 } };
}

/** Result of a form: the rejected values with the problem, or the operation's result. */
export interface Submitted {
  rejected: { intent: string; problem: ErrorBody; values: Record<string, string> } | null;
  done: { intent: string; result: object } | null;
}

/** What a button of a form does. */
interface Intent {
  operation: AnyOperation;
  /** Where to go on; without it what came of it is shown on the same page. */
  next?: string | ((form: FormData, result: object) => string | Promise<string>);
  /** Input that the fields do not hold in the operation's form. */
  values?(form: FormData): Record<string, unknown>;
}

/**
 * The form adapter: carries out the operation that the pressed button names, then goes on by a fresh read;
 * a button without `next` shows what came of it on the same page.
 */
export async function submit(
  { context, params, request }: PanelRequest & { request: Request },
  intents: Record<string, Intent>,
): Promise<{ status: number; data: Submitted } | Response> {
  const form = await request.formData();
  const intent = String(form.get('intent') ?? Object.keys(intents)[0]);
  const chosen = Object.hasOwn(intents, intent) ? intents[intent] : undefined;
  const reply = emptyReply();
  try {
    if (context.isDemo) throw new Problem('forbidden', 'The demo is read-only.');
    if (!chosen) throw new Problem('invalid_request', 'Unknown action.', { details: { fields: [] } });
    await assertFormToken(context, form);
    const result = await execute(chosen.operation, () => formInput(chosen, form, params), context, reply);
    if (result instanceof Response) return result;
    if (chosen.next === undefined)
      return { status: 200, data: { rejected: null, done: { intent, result: result as object } } };
    const target = typeof chosen.next === 'string' ? chosen.next : await chosen.next(form, result as object);
    // Who signs in is nobody yet.
    if (chosen.operation.access.name !== 'anyone') await saveFlash(context, target);
    return redirect(target, { status: 303, headers: reply.headers });
  } catch (error) {
    const problem = toProblem(error, context);
    const out = redirectFor(context, problem);
    if (out) throw out;
    const values = submittedValues(form);
    return {
      status: problem.status,
      data: {
        rejected: { intent, problem: toErrorBody(problem, context.requestId, context.services.env), values },
        done: null,
      },
    };
  }
}

function formInput({ operation, values }: Intent, form: FormData, params: PanelRequest['params']) {
  const raw = readForm(form, params, operation);
  const read = values?.(form) ?? {};
  const duplicates = raw.duplicates.filter((key) => !Object.hasOwn(read, key));
  return { ...raw, duplicates, values: parsedValues(operation.input, { ...raw.values, ...read }) };
}

const secretFields: ReadonlySet<string> = new Set(['pat', 'api_key', 'platform_token', 'headers', 'csrf']);

/** The submitted values of the fields, without secrets; several ticked under one name are joined by commas. */
function submittedValues(form: FormData): Record<string, string> {
  const shown = [...form].filter(([key, value]) => !secretFields.has(key) && typeof value === 'string');
  const fields = Map.groupBy(shown, ([key]) => key);
  return Object.fromEntries([...fields].map(([key, entries]) => [key, entries.map(([, value]) => value).join()]));
}

const tooLate = ({ method, path }: AnyOperation, cause: object) =>
  new Problem('upstream_unavailable', 'GitHub took too long to respond.', {
    cause: { ...cause, request: `${method} ${path}` },
  });
