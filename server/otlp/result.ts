import type { Conclusion } from '../metrics/kernel/facts.ts';

/** What a conclusion is called in the semantic conventions; words of the platform where none applies. */
const results: Readonly<Record<Conclusion, string>> = {
  success: 'success',
  failure: 'failure',
  timed_out: 'timeout',
  startup_failure: 'error',
  cancelled: 'cancellation',
  skipped: 'skip',
  neutral: 'neutral',
  action_required: 'action_required',
  stale: 'stale',
};

export interface SpanResult {
  result: string;
  /** `error.type`; null where the span has no error, which then has no status either. */
  errorType: string | null;
}

/** Result and error of a span (contract-open §4.4); `failure` is what a failed one is called. */
export function toResult(conclusion: Conclusion | null, failure: string): SpanResult {
  const result = results[conclusion ?? 'neutral'];
  const errorTypes: Partial<Record<Conclusion, string>> = {
    failure,
    timed_out: 'timeout',
    startup_failure: 'startup_failure',
  };
  return { result, errorType: errorTypes[conclusion ?? 'neutral'] ?? null };
}
