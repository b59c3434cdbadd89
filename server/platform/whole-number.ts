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
