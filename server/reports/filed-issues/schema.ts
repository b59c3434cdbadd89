import { z } from 'zod';
import { plainText } from '../../platform/fields.ts';
import { instant } from '../kernel/instants.ts';

const characters = (text: string) => [...text].length;

/** 1 to 256 characters (code points) after trimming. */
export const issueTitle = plainText
  .transform((text) => text.trim())
  .refine((text) => text !== '', 'is empty')
  .refine((text) => characters(text) <= 256, 'is longer than 256 characters')
  .meta({ description: 'Title of the issue.', override: { type: 'string', minLength: 1, maxLength: 256 } });

/** At most 10,000 characters (code points). */
export const issueBody = plainText
  .refine((text) => characters(text) <= 10_000, 'is longer than 10,000 characters')
  .default('')
  .meta({ description: 'Text of the issue, in Markdown.', override: { type: 'string', maxLength: 10_000 } });

export const CreatedIssue = z
  .object({
    ok: z.literal(true),
    number: z.int(),
    title: z.string(),
    html_url: z.string(),
    created_at: instant,
    deduplicated: z
      .boolean()
      .meta({ description: 'true when the same caller filed this title there within the last 15 minutes.' }),
  })
  .meta({ id: 'CreatedIssue' });
