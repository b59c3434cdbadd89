import { z } from 'zod';
import { instant, iso } from '../reports/instants.ts';
import type { Generated } from './generate.ts';

/** What every answer with a generated text says of where it comes from. */
export const origin = {
  ok: z.literal(true),
  provider: z.string(),
  model: z.string(),
  generated_at: instant,
  cached: z.boolean().meta({ description: 'Written earlier from the same figures.' }),
  unverified: z.boolean().meta({ description: 'A number in it does not occur in the figures it was written from.' }),
};

export const originOf = ({ provider, model, generatedAt, cached, unverified }: Generated<unknown>) => ({
  ...{ ok: true as const, provider, model, generated_at: iso(generatedAt), cached, unverified },
});
