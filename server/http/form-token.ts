import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Context } from '../access/context.ts';
import { Problem } from '../platform/problem.ts';

/** The token that a session's forms carry; empty when nobody is signed in. */
export async function formToken(context: Context): Promise<string> {
  const opened = await context.services.sessions.open(context.headers);
  return opened ? createHmac('sha256', opened.session.id).update('form/v1').digest('base64url') : '';
}

/** Whether a form was drawn for this session. */
export async function isOwnForm(context: Context, form: FormData): Promise<boolean> {
  const expected = Buffer.from(await formToken(context));
  const given = Buffer.from(String(form.get('csrf') ?? ''));
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/** Rejects a form that was not rendered for this session. */
export async function assertFormToken(context: Context, form: FormData): Promise<void> {
  if (await isOwnForm(context, form)) return;
  throw new Problem('csrf_rejected', 'This form belongs to another session. Reload the page and retry.');
}
