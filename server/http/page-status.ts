import { type Admission, readAdmission } from '../access/admission.ts';
import type { Context } from '../access/context.ts';
import type { Problem } from '../platform/problem.ts';
import { toProblem } from './error-body.ts';

const panelsByContext = new WeakMap<Context, { answered: number; first: Problem | null }>();

/** Counts a panel of the page of this request: what denied it, or null. */
export function notePanel(context: Context, problem: Problem | null): void {
  const known = panelsByContext.get(context) ?? { answered: 0, first: null };
  if (!problem) known.answered++;
  known.first ??= problem;
  panelsByContext.set(context, known);
}

/** A page of which nothing could be shown is answered with the status of its error; its text stays. */
export function toErrorResponse(context: Context, page: Response): Response {
  const { answered = 0, first = null } = panelsByContext.get(context) ?? {};
  if (page.status !== 200 || answered > 0 || !first) return page;
  const { status, details } = first;
  const headers = new Headers(page.headers);
  if (details?.retry_after_s) headers.set('Retry-After', String(details.retry_after_s));
  return new Response(page.body, { status, headers });
}

/** Who may sign in to a standalone installation, for the page that requests a token; null while it cannot be read. */
export async function whoMaySignIn(context: Context): Promise<Admission | null> {
  try {
    return await readAdmission(context.services);
  } catch (error) {
    notePanel(context, toProblem(error, context));
    return null;
  }
}
