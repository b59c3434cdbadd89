import { z } from 'zod';
import { instant } from '../reports/kernel/instants.ts';
import type { Generated } from './generate.ts';

/** What every answer with a generated text states about its origin. */
export const origin = {
  ok: z.literal(true),
  provider: z.string(),
  model: z.string(),
  generated_at: instant,
  cached: z.boolean().meta({ description: 'Generated earlier from the same figures.' }),
  unverified: z.boolean().meta({ description: 'It contains a number that is not in the source figures.' }),
};

export const toAnswerOrigin = ({ content: _, ...origin }: Generated<unknown>) => ({
  ok: true as const,
  ...origin,
});
