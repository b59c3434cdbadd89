import { z } from 'zod';

/**
 * Text that people write: line breaks of forms become plain ones; other control characters but tabs, and halves of
 * characters, which no database takes, are not valid.
 */
export const plainText = z
  .string()
  .transform((text) => text.replaceAll('\r\n', '\n'))
  .refine((text) => text.isWellFormed() && /^[\P{Cc}\t\n]*$/u.test(text), 'holds characters that are no text');
