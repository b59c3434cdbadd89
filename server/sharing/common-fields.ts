// Parts that several answers have alike, field by field.

export const coverageFields = { complete: true, expected: true, read: true, cap: true, reasons: true } as const;

export const intervalFields = { low: true, high: true } as const;

/** How runs went, without who caused the latest and what it was about. */
export const runSummaryFields = {
  latest_run_at: true,
  latest_status: true,
  latest_conclusion: true,
  latest_sha: true,
  recent_runs: { id: true, status: true, conclusion: true, created_at: true },
  trend_30d: { date: true, success: true, total: true, covered: true },
  success_rate: true,
  success_rate_sample: true,
  health: { label: true, score: true, sample: true },
  timezone: true,
} as const;
