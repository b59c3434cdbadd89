import type { Context } from '../../access/context.ts';
import { Problem } from '../../platform/problem.ts';
import { readNotes } from '../../reports/kernel/answer-notes.ts';
import { teamCalendar } from '../../reports/kernel/calendar.ts';
import { pickShared } from '../../sharing/fields.ts';
import { loginFilter, namedLogins } from '../../sharing/logins.ts';
import { type Snapshot, snapshotFormat } from '../../sharing/snapshot.ts';
import {
  type FoundPage,
  type ShareablePage,
  type SharedPart,
  shareablePages,
  strangersChoices,
} from './shareable-pages.ts';

/**
 * What a page says now, without people. Its maker must have access to all of its operations.
 * @throws Problem of an operation
 */
export async function takeSnapshot({ pattern, place, choices }: FoundPage, context: Context): Promise<Snapshot> {
  const { services, store } = context;
  const page: ShareablePage = shareablePages[pattern];
  const parts = page.parts({ ...place, ...choices });
  const [{ timezone }, all] = await Promise.all([
    teamCalendar(context),
    Promise.all(Object.entries(parts).map(([name, part]) => readPart(name, part, context))),
  ]);
  const read = all.filter((one) => one !== null);
  const texts = strangersChoices.flatMap((name) => choices[name] ?? []);
  const collect = (text: string) => {
    texts.push(text);
    return text;
  };
  for (const { answer, fields, notes } of read) {
    pickShared(answer, fields, collect);
    collect(notes.partialReason ?? '');
  }
  const clean = await loginFilter(
    texts,
    read.flatMap(({ answer }) => namedLogins(answer)),
    store,
  );
  const answers = read.map(({ name, answer, fields, notes }) => {
    const partialReason = notes.partialReason && clean(notes.partialReason);
    return [name, { data: pickShared(answer, fields, clean), notes: { ...notes, partialReason } }] as const;
  });
  // As in the answers, among which they are looked for.
  const cleaned = strangersChoices.flatMap((name) => (choices[name] ? [[name, clean(choices[name])]] : []));
  return {
    format: snapshotFormat,
    takenAt: services.clock.now(),
    zone: timezone,
    pattern,
    place,
    choices: { ...choices, ...Object.fromEntries(cleaned) },
    answers: Object.fromEntries(answers),
  };
}

/** What an operation answers; null where the page does without, and its maker has no access to it. */
async function readPart(name: string, { operation, params, fields, isOptional, narrow }: SharedPart, context: Context) {
  try {
    const { answer, headers } = await context.services.readOperation(context, operation, params);
    return { name, answer: narrow(answer as unknown), fields, notes: readNotes(headers) };
  } catch (error) {
    if (isOptional && error instanceof Problem && error.code === 'forbidden') return null;
    throw error;
  }
}
