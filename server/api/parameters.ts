import { z } from 'zod';
import { botChoices } from '../metrics/pull-requests/bots.ts';
import { alertSeverities } from '../metrics/security/security-alerts.ts';
import { within } from '../platform/fields.ts';

/** Account that owns repositories: 1 to 39 letters, digits, hyphens or underscores, beginning with a letter or digit. */
export const owner = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,38}$/, 'is not an account name')
  .meta({ description: 'Repository owner (user or organization).' });

export const org = owner.meta({ description: 'Organization.' });

/** Account of a person or a bot; bots carry the literal suffix `[bot]`. */
export const login = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,38}(\[bot\])?$/, 'is not a login')
  .meta({ description: 'Account login.' });

export const repo = z
  .string()
  .regex(/^(?!\.{1,2}$)(?!.*\.git$)[A-Za-z0-9._-]{1,100}$/, 'is not a repository name')
  .meta({ description: 'Repository name.' });

export const repository = { owner, repo };

/** A repository in one word: its owner and its name. */
export const repositoryName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,38}\/(?!\.{1,2}$)(?!.*\.git$)[A-Za-z0-9._-]{1,100}$/, 'is not owner/name');

/** What somebody looks for among stored texts. */
export const searched = z
  .string()
  .trim()
  .regex(/^\P{Cc}{0,100}$/u, 'is not at most 100 visible characters');

/** A branch as refs name it. */
export const branchName = z.string().regex(/^[^\s\p{Cc}]{1,255}$/u, 'is not the name of a branch');

/** Identifier of a workflow or a run: a whole number from 1 to 2^53 - 1. */
export const identifier = z.int().min(1);

/** A whole number; below `min` is rejected, above `max` is taken as `max`. */
export const clamped = (min: number, max: number, fallback: number) =>
  z
    .int()
    .min(min)
    .transform((value) => Math.min(value, max))
    .default(fallback)
    .meta({ override: { type: 'integer', minimum: min, maximum: max, default: fallback } });

/** A whole number from 1 on; taken as `min` or `max` where it lies beyond, which the answer reports. */
export const fitted = (min: number, max: number, fallback: number) =>
  z
    .int()
    .min(1)
    .transform((value) => Math.min(Math.max(value, min), max))
    .default(fallback)
    .meta({ override: { type: 'integer', minimum: min, maximum: max, default: fallback } });

/** A whole number within limits, with what is taken when it is not given. */
export const bounded = (min: number, max: number, fallback: number) => within(min, max).default(fallback);

interface OffsetPage {
  offset: number;
  limit: number;
  /** Rows on all pages. */
  total: number;
}

/** Where the page after this one begins; null after the last. */
export const nextOffset = ({ offset, limit, total }: OffsetPage): { offset: number } | null =>
  offset + limit < total ? { offset: offset + limit } : null;

/** What leads to the rows after these; null after the last. */
export const nextAfter = ({ next_cursor: cursor }: { next_cursor: string | null }): { cursor: string } | null =>
  cursor === null ? null : { cursor };

/** A calendar month in UTC; the running one where it is not given. One in the future is rejected where it is used. */
export const billingMonth = {
  year: within(2019, 9999).optional().meta({ description: 'Without it the running year in UTC.' }),
  month: within(1, 12).optional().meta({ description: 'Not in the future; without it the running month in UTC.' }),
};

/** What a finding is about: a rule of the scan, an advisory, a source, or `source:package`, `source:rule`. */
const securityRule = z
  .string()
  .regex(/^\P{Cc}{1,200}$/u, 'is not at most 200 visible characters')
  .meta({
    description:
      'A rule of the workflow scan (`SEC-012`), an advisory (`GHSA-…`), `source:subject` such as ' +
      '`code_scanning:js/xss`, a source of alerts, or `workflows`.',
  });

/** Which open alerts and findings are wanted. */
export const securityFilter = {
  severity: z.enum(alertSeverities).optional(),
  rule: securityRule.optional(),
  age: z
    .enum(['30', '90'], { error: 'is neither 30 nor 90' })
    .transform((days) => (days === '30' ? 30 : 90))
    .optional()
    .meta({ description: 'Open for more than so many days. Findings in workflow files have no age.' }),
};

/** The windows in which people's figures are reported: the last 30 or 90 days. */
export const insightDays = z
  .enum(['30', '90'], { error: 'is neither 30 nor 90' })
  .transform((days) => (days === '30' ? 30 : 90))
  .optional();

/** Whether pull requests of bots count; in times and in shares of people they never do. */
export const bots = z.enum(botChoices, { error: 'is neither in nor out' }).optional().meta({
  description:
    '`out` leaves out pull requests of bots where they count otherwise. Times, self-merges and the abandon rate are of people in either case.',
});
