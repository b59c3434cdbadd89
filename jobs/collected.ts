import type { Instant } from '../server/metrics/kernel/facts.ts';
import type { Problem } from '../server/platform/problem.ts';

/** What reading one repository came to. */
export interface Collected {
  repo: string;
  status: 'ok' | 'partial' | 'locked' | 'error';
  code?: string;
  error?: string;
  /** When the platform gives more again; set when it was its limit that ended the reading. */
  resumeAt?: Instant;
}

/** What a problem of the platform makes of a reading. */
export function problemIn(problem: Problem, now: Instant): Omit<Collected, 'repo'> {
  const { code, message } = problem;
  if (code !== 'upstream_rate_limited') return { status: 'error', code, error: message };
  const afterS = problem.details?.retry_after_s ?? 60;
  return { status: 'partial', code, error: message, resumeAt: now + afterS * 1000 };
}
