import type { Severity } from './rule.ts';

/** What counts of a finding. */
export interface Scored {
  ruleId: string;
  severity: Severity;
}

/** Worst first. */
export const severities = ['critical', 'high', 'medium', 'info'] as const satisfies readonly Severity[];

/** What a rule takes from a file's 100 points. */
const weights: Record<Severity, number> = { critical: 30, high: 15, medium: 7, info: 2 };
const manyLocations = 5;

/** 100 for a file without findings, never below 0: each rule counts once by its worst, twice from five places on. */
export function fileScore(findings: readonly Scored[]): number {
  let score = 100;
  for (const ofRule of Map.groupBy(findings, ({ ruleId }) => ruleId).values()) {
    const worst = severities.find((one) => ofRule.some(({ severity }) => severity === one)) ?? 'info';
    // What a comment made an info is no further place of something worse.
    const places = ofRule.filter(({ severity }) => severity === worst).length;
    score -= weights[worst] * (places >= manyLocations ? 2 : 1);
  }
  return Math.max(0, score);
}

/** The mean of the files that were read, at most 59 with a critical finding, 79 with a high one; null without any. */
export function overallScore(files: readonly { score: number | null; findings: readonly Scored[] }[]): number | null {
  const scores = files.flatMap(({ score }) => score ?? []);
  if (scores.length === 0) return null;
  const has = (severity: Severity) => files.some(({ findings }) => findings.some((one) => one.severity === severity));
  const mean = Math.round(scores.reduce((sum, one) => sum + one, 0) / scores.length);
  return Math.min(mean, has('critical') ? 59 : 100, has('high') ? 79 : 100);
}
