import { z } from 'zod';

const digits = z.string().regex(/^\d+$/, 'is not a whole number');

/** A whole number, as JSON has it or as a query or a form does. */
export const wholeNumber = z.union([digits.transform(Number), z.int()], { error: 'is not a whole number' });

/** The same within limits; anything outside is refused. */
export const within = (min: number, max: number) =>
  wholeNumber
    .pipe(
      z
        .number()
        .refine((value) => value >= min && value <= max, { error: `is not between ${min} and ${max}`, abort: true }),
    )
    .meta({ override: { type: 'integer', minimum: min, maximum: max } });

const decimal = z.string().regex(/^\d+(\.\d+)?$/, 'is not a number');

/** A number that is not negative, as JSON has it or as a query or a form does; anything above `max` is refused. */
export const upTo = (max: number) =>
  z
    .union([decimal.transform(Number), z.number()], { error: 'is not a number' })
    .pipe(
      z.number().refine((value) => value >= 0 && value <= max, { error: `is not between 0 and ${max}`, abort: true }),
    )
    .meta({ override: { type: 'number', minimum: 0, maximum: max } });
