import type { Instant } from '../metrics/kernel/facts.ts';
import type { Problem } from '../platform/problem.ts';

/** What reading one repository came to. */
export interface RepositorySyncResult {
  repo: string;
  status: 'ok' | 'partial' | 'locked' | 'error';
  code?: string;
  error?: string;
  /** When the platform gives more again; set when it was its limit that ended the reading. */
  resumeAt?: Instant;
}

/** What a problem of the platform makes of a reading. */
export function problemResult(problem: Problem, now: Instant): Omit<RepositorySyncResult, 'repo'> {
  const { code, message } = problem;
  if (code !== 'upstream_rate_limited') return { status: 'error', code, error: message };
  const afterS = problem.details?.retry_after_s ?? 60;
  return { status: 'partial', code, error: message, resumeAt: now + afterS * 1000 };
}
