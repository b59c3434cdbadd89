import { z } from 'zod';
import type { Surface } from './generate.ts';
import { anomalyPrompt, digestPrompt, insightsPrompt, rootCausePrompt } from './prompts.ts';

const text = (longest: number) => z.string().trim().min(1).max(longest);

/** One bad item rejects the list; items beyond the limit are dropped. */
const few = (maxItems: number) => z.array(text(200)).transform((items) => items.slice(0, maxItems));

/** How a repository or an organization is doing. */
export const InsightsContent = z.object({ summary: text(400), bullets: few(6), actions: few(4) });

/** What may be behind unusual runs, and what to check first. */
export const AnomalyContent = z.object({ explanation: text(400), check: text(400) });

const Hypothesis = z.object({
  hypothesis: text(400),
  evidence: text(500),
  confidence: z.enum(['high', 'medium', 'low']),
  next_step: text(300),
});

/** Why runs may fail, the likeliest first. */
export const RootCauseContent = z.object({
  hypotheses: z
    .array(Hypothesis)
    .min(1)
    .max(3)
    .transform((items) => items.map((item, index) => ({ rank: index + 1, ...item }))),
});

/** The paragraph of a weekly email. */
export const DigestContent = z.object({ summary: text(1200).transform(withoutMarks).pipe(text(1200)) });

/** Emails are no Markdown. */
function withoutMarks(markdown: string): string {
  return markdown
    .replace(/^[ \t]*(?:#{1,6}|[-*+>]|\d+\.)[ \t]+/gm, '')
    .replace(/[*_`~]{1,3}(?=\S)([^*_`~]+?)[*_`~]{1,3}/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Times are written in minutes where the snapshot has milliseconds, so they cannot be found in it. */
const withoutTimes = (reported: string): string =>
  reported.replace(/\d+(?:[.,]\d+)*\s*(?:h|hours?|m|min|mins|minutes?|s|sec|secs|seconds?)\b/gi, '');

const minutes = 60_000;

const shared = { promptVersion: 1 };

/** Summary, observations and next steps; cached for 15 minutes. */
export const insightsSurface: Surface<z.output<typeof InsightsContent>> = {
  ...shared,
  name: 'insights',
  system: insightsPrompt,
  maxOutputTokens: 900,
  ttlMs: 15 * minutes,
  shape: InsightsContent,
  texts: ({ summary, bullets }) => [summary, ...bullets],
};

/** Explanation of unusual runs; cached for 30 minutes. */
export const anomalySurface: Surface<z.output<typeof AnomalyContent>> = {
  ...shared,
  name: 'anomaly',
  system: anomalyPrompt,
  maxOutputTokens: 400,
  ttlMs: 30 * minutes,
  shape: AnomalyContent,
  texts: ({ explanation }) => [withoutTimes(explanation)],
};

/** Hypotheses about failures; cached for 10 minutes. */
export const rootCauseSurface: Surface<z.output<typeof RootCauseContent>> = {
  ...shared,
  name: 'root_cause',
  system: rootCausePrompt,
  maxOutputTokens: 1200,
  ttlMs: 10 * minutes,
  shape: RootCauseContent,
  texts: ({ hypotheses }) => hypotheses.flatMap((one) => [one.hypothesis, one.evidence].map(withoutTimes)),
};

/** The paragraph of a weekly email; cached for a day. */
export const digestSurface: Surface<z.output<typeof DigestContent>> = {
  ...shared,
  name: 'digest',
  system: digestPrompt,
  maxOutputTokens: 600,
  ttlMs: 24 * 60 * minutes,
  shape: DigestContent,
  texts: ({ summary }) => [summary],
};
