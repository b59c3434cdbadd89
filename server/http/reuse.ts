import type { z } from 'zod';
import type { Context, Reply } from '../access/context.ts';
import type { Operation } from '../api/operation.ts';
import type { Store } from '../store/orm.ts';
import type { Scope } from '../store/versions.ts';
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
  if (!operation.dependsOn || !store) return { answer: await make(reply), reply };
  const { scopes, sees, until } = await operation.dependsOn(input, context);
  const key = `${operation.path} ${JSON.stringify(input)} ${sees}`;
  const versions = await readVersions(store, scopes);
  const now = clock.now();
  const known = reusedAnswers.get(key);
  if (known?.versions === versions && known.madeAt <= now && now < known.until) {
    for (const [name, value] of known.headers) reply.headers.append(name, value);
    return { answer: known.answer as z.output<Out>, reply };
  }
  const answer = await make(reply);
  if (answer instanceof Response || reply.status !== 200) return { answer, reply };
  // What the caller may see can have changed meanwhile: the answer is of what it is now, and the key of what it was.
  const after = await operation.dependsOn(input, context);
  if (after.sees === sees) {
    const made = { answer: answer as object, headers: [...reply.headers], versions, madeAt: now, until };
    reusedAnswers.set(key, made, { size: key.length + writeJson(made.answer).text.length });
  }
  return { answer, reply };
}

async function readVersions(store: Store, scopes: readonly Scope[]): Promise<string> {
  const versions = await store.versions.read(scopes);
  return scopes.map((scope) => versions.get(scope) ?? '').join(' ');
}
