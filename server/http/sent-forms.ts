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

/** How long a form is known to have been sent, and so long another one like it waits for what comes of the first. */
const rememberedMs = 86_400_000;
const underWayMs = 60_000;
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
  const { answers, clock, env } = context.services;
  const box = settingsBox(env, 'sent-forms');
  const digest = digestOf(form);
  const asText = (isDone: boolean) => box.seal(JSON.stringify({ digest, isDone } satisfies Sent));
  const shownKey = `${key}:shown`;
  const note = async (done: Submitted['done']) => {
    const now = clock.now();
    if (done === null) return answers.put(key, null, now, now);
    await answers.put(shownKey, box.seal(JSON.stringify(done)), now, now + shownAgainMs);
    await answers.put(key, asText(true), now, now + rememberedMs);
  };
  for (const begun = clock.now(); clock.now() - begun < underWayMs; await sleep(pauseMs)) {
    const now = clock.now();
    if (await answers.claim(key, asText(false), now, now + underWayMs)) return claimed(carryOut, note);
    const found = await answers.get<string>(key);
    if (!found) continue;
    const sent = JSON.parse(box.open(found.value)?.text ?? '{}') as Partial<Sent>;
    if (sent.digest !== digest) break;
    if (!sent.isDone) continue;
    const shown = box.open((await answers.get<string>(shownKey))?.value ?? '');
    if (!shown) break;
    return { status: 200, data: { rejected: null, done: JSON.parse(shown.text) } };
  }
  return { status: 409, data: refuseRepeated(form, context) };
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

function refuseRepeated(form: FormData, { requestId, services }: Context): Submitted {
  const problem = new Problem(
    'edit_conflict',
    'This form was sent before, and made one. Open the page again to make another.',
  );
  const intent = String(form.get('intent'));
  return { rejected: { intent, problem: toErrorBody(problem, requestId, services.env), values: {} }, done: null };
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
