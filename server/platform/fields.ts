import { z } from 'zod';

/**
 * Text that people write: line breaks of forms become plain ones; other control characters but tabs, and halves of
 * characters, which no database takes, are not valid.
 */
export const plainText = z
  .string()
  .transform((text) => text.replaceAll('\r\n', '\n'))
  .refine((text) => text.isWellFormed() && /^[\P{Cc}\t\n]*$/u.test(text), 'holds characters that are no text');

/** A name that people give, on one line. */
export const plainLabel = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .refine((text) => text.isWellFormed() && /^\P{Cc}*$/u.test(text), 'holds characters that are no text');

/** An integer within limits. One beyond them is not compared with other fields. */
export const within = (min: number, max: number) => z.int().min(min, { abort: true }).max(max, { abort: true });

/**
 * What is wrong with a value, as the rest of a sentence that begins with the field's name. For everything of which a
 * schema has none of its own: nobody is shown the messages of a schema library.
 */
export const fieldMessage: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${expectedType(issue)}`;
    case 'too_small':
      return `must ${limit(issue.origin, 'at least', issue.minimum)}`;
    case 'too_big':
      return `must ${limit(issue.origin, 'at most', issue.maximum)}`;
    case 'invalid_value':
      return issue.values.length > maxNamed
        ? 'is not one of the known values'
        : `must be ${formatChoices(issue.values)}`;
    case 'invalid_format':
      return issue.format === 'datetime' ? 'must be a time such as 2026-01-31T08:00:00Z' : 'has the wrong format';
    default:
      return 'is not valid';
  }
};

/** Longer lists of values are left to the details of the answer. */
const maxNamed = 12;

const types: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  record: 'an object',
  object: 'an object',
};

function expectedType({ expected, inst }: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidType>): string {
  const isInteger = (inst as Partial<z.ZodNumber> | undefined)?.isInt === true;
  return types[isInteger ? 'int' : expected] ?? 'of another type';
}

const units: Readonly<Record<string, { one: string; many: string }>> = {
  string: { one: 'character', many: 'characters' },
  array: { one: 'entry', many: 'entries' },
};

function limit(origin: string, direction: 'at least' | 'at most', value: number | bigint): string {
  const figure = value.toLocaleString('en');
  const unit = units[origin];
  return unit ? `have ${direction} ${figure} ${value === 1 ? unit.one : unit.many}` : `be ${direction} ${figure}`;
}

const formatChoices = (values: readonly z.core.util.Primitive[]) =>
  new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(values.map(String));
