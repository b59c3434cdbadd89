import { z } from 'zod';
import { verdicts } from '../../domain/verdict.ts';

/** What a change comes to, by whatever page it is shown. */
export const verdict = z.enum(verdicts).meta({
  description:
    'Of the value against the compared one: higher or lower only where the 95 % interval of the difference does not hold 0. not_enough_data: too few items, or nothing to compare with.',
});
