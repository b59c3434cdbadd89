import { expect, test } from 'vitest';
import { z } from 'zod';
import { formFields } from '../../server/http/form-fields.ts';

test('fields take their limits from the schema of the input', () => {
  const input = z
    .object({
      name: z.string().max(20),
      hours: z.int().min(1).max(24),
      sample: z.int().min(1).max(1000).nullable().optional(),
      window: z.int().min(1).max(90).default(30),
      channel: z.enum(['email', 'slack']),
      note: z.string().max(500).optional(),
    })
    .refine(({ hours }) => hours !== 13);
  expect(formFields({ input })).toEqual({
    name: { required: true, maxLength: 20 },
    hours: { required: true, min: 1, max: 24 },
    sample: { required: false, min: 1, max: 1000 },
    window: { required: false, min: 1, max: 90 },
    channel: { required: true },
    note: { required: false, maxLength: 500 },
  });
});
