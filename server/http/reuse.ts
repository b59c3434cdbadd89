import type { z } from 'zod';
import type { Context, Reply } from '../access/context.ts';
import type { Dependencies, Operation } from '../api/operation.ts';
import { withFreshness } from '../platform/freshness.ts';
import { noteCache } from '../platform/request-record.ts';
import type { Store } from '../store/orm.ts';
import type { Scope } from '../store/versions.ts';
import { situationOf } from './situation.ts';
import { writeJson } from './written-json.ts';

/**
 * Gives an answer again from memory while nothing has changed that it was made of, and makes it anew otherwise. Versions
 * are read before facts are, so that what changes meanwhile makes the answer an old one, never an old answer a new one.
 */
export async function reuse<In extends z.ZodObject, Out extends z.ZodType>(
  operation: Operation<In, Out>,
  input: z.output<In>,
  context: Context,
  make: (reply: Reply) => Promise<z.output<Out> | Response>,
): Promise<{ answer: z.output<Out> | Response; reply: Reply }> {
  const { store, reusedAnswers, clock } = context.services;
  const reply: Reply = { status: 200, headers: new Headers() };
  const dependencies = await dependenciesOf(operation, input, context);
  if (!dependencies) return { answer: await make(reply), reply };
  const { scopes, sees, until } = dependencies;
  const key = `${operation.path} ${JSON.stringify(input)} ${sees}`;
  const versions = await readVersions(store, scopes);
  const now = clock.now();
  const known = reusedAnswers.get(key);
  if (known?.versions === versions && known.madeAt <= now && now < known.until) {
    noteCache(true);
    for (const [name, value] of known.headers) reply.headers.append(name, value);
    return { answer: known.answer as z.output<Out>, reply };
  }
  noteCache(false);
  const { result: answer, freshUntil } = await withFreshness(() => make(reply));
  if (answer instanceof Response || reply.status !== 200) return { answer, reply };
  // What the caller may see can have changed meanwhile: the answer is of what it is now, and the key of what it was.
  const after = await dependenciesOf(operation, input, context);
  if (after?.sees === sees && now < freshUntil) {
    const untilMoved = Math.min(until, freshUntil);
    const made = { answer: answer as object, headers: [...reply.headers], versions, madeAt: now, until: untilMoved };
    reusedAnswers.set(key, made, { size: key.length + writeJson(made.answer).text.length });
  }
  return { answer, reply };
}

/** What an answer is made of; null where it is not known, so that it is made anew each time. */
async function dependenciesOf<In extends z.ZodObject, Out extends z.ZodType>(
  { dependsOn }: Operation<In, Out>,
  input: z.output<In>,
  context: Context,
): Promise<Dependencies | null> {
  const { store, clock } = context.services;
  // The sample world is the same for everybody until the next one.
  if (context.isDemo)
    return { scopes: [], sees: `demo ${situationOf(context.url)} ${clock.now()}`, until: Number.POSITIVE_INFINITY };
  return store && dependsOn ? dependsOn(input, context) : null;
}

async function readVersions(store: Store | null, scopes: readonly Scope[]): Promise<string> {
  if (!store || scopes.length === 0) return '';
  const versions = await store.versions.read(scopes);
  return scopes.map((scope) => versions.get(scope) ?? '').join(' ');
}
