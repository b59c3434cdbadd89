import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../access/context.ts';
import { Problem } from '../platform/problem.ts';
import { settingsBox } from '../settings/sealing.ts';
import type { Submitted } from './adapters.ts';
import { toErrorBody } from './error-body.ts';

/** What came of a form. */
export interface Outcome {
  status: number;
  data: Submitted;
}

/** What is known of a form that was sent. */
interface Sent {
  /** Of its fields. */
  digest: string;
  /** Whether what it asks for was done. */
  isDone: boolean;
}

/** How long a form is known to have been sent. */
const rememberedMs = 86_400_000;
/** How long one is under way without word of it: a process that was killed never ends it. */
const underWayMs = 60_000;
const wordEveryMs = 20_000;
/** So long another one like it waits for what comes of the first. */
const waitedMs = 30_000;
/** So long the answer is shown again: to a second press of the button, and to a reload at once. */
const shownAgainMs = 60_000;
const pauseMs = 100;

/**
 * Carries out what a form asks for once: a second press of its button is answered as the first. Its field `drawn` says
 * when it was drawn, so that no two of an account are alike; without it every form is carried out. What was rejected may
 * be sent again.
 */
export async function submitOnce(
  form: FormData,
  context: Context,
  carryOut: () => Promise<Outcome | Response>,
): Promise<Outcome | Response> {
  const key = await keyOf(form, context);
  if (key === null) return carryOut();
  const { answers, clock, env, background } = context.services;
  const box = settingsBox(env, 'sent-forms');
  const digest = digestOf(form);
  const asText = (isDone: boolean) => box.seal(JSON.stringify({ digest, isDone } satisfies Sent));
  const shownKey = `${key}:shown`;
  const note = async (done: Submitted['done']) => {
    const now = clock.now();
    if (done === null) return answers.put(key, null, now, now);
    await answers.put(shownKey, box.seal(JSON.stringify(done)), now, now + shownAgainMs);
    await answers.put(key, asText(true), now, now + rememberedMs);
    background.begin(() => forgetShown(shownKey, context));
  };
  const keep = () => {
    const now = clock.now();
    return answers.put(key, asText(false), now, now + underWayMs);
  };
  const pause = () => sleep(pauseMs, undefined, { signal: context.signal });
  for (const begun = clock.now(); clock.now() - begun < waitedMs; await pause()) {
    const now = clock.now();
    if (await answers.claim(key, asText(false), now, now + underWayMs))
      return claimed(() => withHeartbeat(carryOut, keep), note);
    const found = await answers.get<string>(key);
    if (!found) continue;
    const sent = JSON.parse(box.open(found.value)?.text ?? '{}') as Partial<Sent>;
    if (!sent.isDone) continue;
    const stored = sent.digest === digest ? await answers.get<string>(shownKey) : null;
    const shown = box.open(stored?.value ?? '');
    if (!shown) return refuse(form, context, madeOne);
    return { status: 200, data: { rejected: null, done: JSON.parse(shown.text) } };
  }
  return refuse(form, context, stillUnderWay);
}

const madeOne = 'This form was sent before, and made one. Open the page again to make another.';
const stillUnderWay =
  'This form was sent before, and it is not known yet whether it made one. Look at the list below in a minute.';

/** Forgets what came of a form when it is shown no more, or the process ends. */
async function forgetShown(shownKey: string, { services: { answers, clock, stopping } }: Context): Promise<void> {
  await sleep(shownAgainMs, undefined, { signal: stopping, ref: false }).catch(() => undefined);
  const now = clock.now();
  // Where it cannot be deleted, housekeeping does it.
  await answers.put(shownKey, null, now, now).catch(() => undefined);
}

/** Carries out what may take long, and says again and again that it is under way. */
async function withHeartbeat<T>(carryOut: () => Promise<T>, keep: () => Promise<void>): Promise<T> {
  let lastBeat = Promise.resolve();
  const word = setInterval(() => {
    lastBeat = keep().catch(() => undefined);
  }, wordEveryMs);
  try {
    return await carryOut();
  } finally {
    clearInterval(word);
    // What is noted of the end must not be replaced by it.
    await lastBeat;
  }
}

/** Notes what came of a form, also that nothing did. */
async function claimed(carryOut: () => Promise<Outcome | Response>, note: (done: Submitted['done']) => Promise<void>) {
  const outcome = await carryOut().catch(async (error: unknown) => {
    await note(null);
    throw error;
  });
  // What was made is shown, also where it could not be noted.
  await note(outcome instanceof Response ? null : outcome.data.done).catch(() => {});
  return outcome;
}

function refuse(form: FormData, { requestId, services }: Context, sentence: string): Outcome {
  const problem = toErrorBody(new Problem('edit_conflict', sentence), requestId, services.env);
  return { status: 409, data: { rejected: { intent: String(form.get('intent')), problem, values: {} }, done: null } };
}

async function keyOf(form: FormData, context: Context): Promise<string | null> {
  const drawn = form.get('drawn');
  const actor = await context.actor().catch(() => null);
  return typeof drawn === 'string' && actor ? `sent:${actor.id}:${form.get('intent')}:${drawn.slice(0, 20)}` : null;
}

const digestOf = (form: FormData): string =>
  createHash('sha256')
    .update(JSON.stringify([...form].map(([name, value]) => [name, String(value)])))
    .digest('base64url');
