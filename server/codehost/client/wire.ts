import { z } from 'zod';
import { conclusions } from '../../metrics/kernel/facts.ts';

/** An ISO 8601 time of the platform as epoch milliseconds. */
export const instant = z.string().transform((text, context) => {
  const read = Date.parse(text);
  if (!Number.isNaN(read)) return read;
  context.addIssue('not a time');
  return z.NEVER;
});

/** A time that may be missing: null then. */
export const maybeInstant = instant.nullish().transform((read) => read ?? null);

/** A text that may be missing: null then. */
export const maybeText = z
  .string()
  .nullish()
  .transform((text) => text ?? null);

/** A text that is only shown: null when it is missing or no text. */
export const shownText = maybeText.catch(null);

/** An address that is only linked to: empty when it is missing or no text. */
export const shownAddress = z.string().catch('');

/** What the platform knows something by. */
export const platformId = z.int();

/** A number or count of something, as large as the database keeps them. */
export const integer = z
  .int()
  .min(0)
  .max(2 ** 31 - 1);

/** A count that may be unknown: null then. */
export const maybeCount = integer
  .nullish()
  .catch(null)
  .transform((count) => count ?? null);

/** Which attempt of a run something belongs to: the platform repeats a run at most fifty times. */
export const attemptNumber = z.int().min(1).max(1000);

/** A conclusion; null while running, and for a word this service does not know. */
export const conclusion = z.enum(conclusions).nullable().catch(null);
