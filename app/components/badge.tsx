import type { ReactNode } from 'react';

export type Status = 'pass' | 'fail' | 'warning' | 'running' | 'void';

/** A status as shape and word; colour only repeats it. */
export function Badge({ status, children }: { status: Status; children?: ReactNode }) {
  return (
    <span className={`badge text-${status}`}>
      <Shape status={status} /> {children ?? statusWord[status]}
    </span>
  );
}

/** How a run, job or step stands, from the platform's two words. */
export function runStatus(status: string | null, conclusion: string | null): { status: Status; word: string } {
  const known = conclusion ? byConclusion[conclusion] : undefined;
  if (known) return { status: known[0], word: known[1] };
  if (status === 'in_progress') return { status: 'running', word: 'running' };
  if (status && status in waiting) return { status: 'running', word: waiting[status as keyof typeof waiting] };
  return { status: 'void', word: (conclusion ?? status ?? 'unknown').replaceAll('_', ' ') };
}

/** The badge of a run, job or step. */
export function RunBadge({ status, conclusion }: { status: string | null; conclusion: string | null }) {
  const { status: badgeStatus, word } = runStatus(status, conclusion);
  return <Badge status={badgeStatus}>{word}</Badge>;
}

const statusWord: Record<Status, string> = {
  pass: 'passed',
  fail: 'failed',
  warning: 'warning',
  running: 'running',
  void: 'none',
};

const byConclusion: Record<string, [Status, string]> = {
  success: ['pass', 'passed'],
  failure: ['fail', 'failed'],
  timed_out: ['fail', 'timed out'],
  startup_failure: ['fail', 'failed to start'],
  action_required: ['warning', 'needs action'],
  cancelled: ['void', 'cancelled'],
  skipped: ['void', 'skipped'],
  neutral: ['void', 'neutral'],
  stale: ['void', 'stale'],
};

const waiting = { queued: 'queued', requested: 'requested', waiting: 'waiting', pending: 'pending' };

/** Tick, cross, triangle, half circle, stroke. */
function Shape({ status }: { status: Status }) {
  return (
    <svg className="shape" width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
      <path d={shapes[status]} />
    </svg>
  );
}

const shapes: Record<Status, string> = {
  pass: 'M6 0a6 6 0 1 0 0 12A6 6 0 0 0 6 0zM5.2 8.9 2.6 6.3l1-1 1.6 1.6 3.2-3.2 1 1z',
  fail: 'M0 0h12v12H0zM3.6 2.6l-1 1L5 6 2.6 8.4l1 1L6 7l2.4 2.4 1-1L7 6l2.4-2.4-1-1L6 5z',
  warning: 'M6 .5 12 11.5H0zM5.3 4.5v3.6h1.4V4.5zm0 4.4v1.4h1.4V8.9z',
  running: 'M6 0a6 6 0 1 0 0 12A6 6 0 0 0 6 0zm0 1.5v9a4.5 4.5 0 0 1 0-9z',
  void: 'M1 5h10v2H1z',
};
