import type { Context } from '../../access/context.ts';
import { readNotes } from '../../reports/kernel/answer-notes.ts';
import { teamCalendar } from '../../reports/kernel/calendar.ts';
import { pickShared } from '../../sharing/fields.ts';
import { loginFilter, namedLogins } from '../../sharing/logins.ts';
import type { Snapshot } from '../../sharing/snapshot.ts';
import { type FoundPage, type ShareablePage, shareablePages } from './shareable-pages.ts';

/**
 * What a page says now, without people. Its maker must have access to all of its operations.
 * @throws Problem of an operation
 */
export async function takeSnapshot({ pattern, place, choices }: FoundPage, context: Context): Promise<Snapshot> {
  const { services, store } = context;
  const page: ShareablePage = shareablePages[pattern];
  const parts = page.parts({ ...place, ...choices });
  const [{ timezone }, ...read] = await Promise.all([
    teamCalendar(context),
    ...Object.entries(parts).map(async ([name, { operation, params, fields }]) => {
      const { answer, headers } = await services.readOperation(context, operation, params);
      return { name, answer: answer as unknown, fields, notes: readNotes(headers) };
    }),
  ]);
  const texts = Object.values(choices);
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
  return {
    takenAt: services.clock.now(),
    zone: timezone,
    pattern,
    place,
    choices: Object.fromEntries(Object.entries(choices).map(([name, value]) => [name, clean(value)])),
    answers: Object.fromEntries(answers),
  };
}
