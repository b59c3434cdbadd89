import type { Context } from '../access/context.ts';

/** How long a form is known to have been sent. */
const rememberedMs = 86_400_000;

/**
 * Whether the caller sent this form before, as by a reload of the page that answered it. Its field `drawn` says when it
 * was drawn, so that no two of an account are alike.
 */
export async function wasSent(form: FormData, context: Context): Promise<boolean> {
  const key = await keyOf(form, context);
  return key !== null && (await context.services.answers.get<true>(key)) !== null;
}

/** Notes that what a form asks for was done. */
export async function noteSent(form: FormData, context: Context): Promise<void> {
  const { answers, clock } = context.services;
  const [key, now] = [await keyOf(form, context), clock.now()];
  if (key !== null) await answers.put(key, true, now, now + rememberedMs);
}

async function keyOf(form: FormData, context: Context): Promise<string | null> {
  const drawn = form.get('drawn');
  const actor = await context.actor().catch(() => null);
  return typeof drawn === 'string' && actor ? `sent:${actor.id}:${form.get('intent')}:${drawn.slice(0, 20)}` : null;
}
