import type { RecordedAttempt } from '../history.ts';
import { attemptMinutes } from './days.ts';

/** Whether the unchanged replay gives the recorded minutes, before any number is shown; contract, section 3.6. */
export interface Calibration {
  state: 'ok' | 'failed';
  /** As summed when the jobs were stored. */
  minutesRecorded: number;
  minutesReplayed: number;
  /** Attempts that differ, oldest first. */
  failures: { attempt: RecordedAttempt; recorded: number; replayed: number }[];
}

/** Compares each attempt; waits are taken as recorded, so that there is nothing else to reproduce. */
export function calibrate(attempts: readonly RecordedAttempt[]): Calibration {
  const compared = attempts.map((attempt) => ({
    attempt,
    recorded: attempt.billedMinutes ?? 0,
    replayed: attemptMinutes(attempt),
  }));
  const failures = compared.filter(({ recorded, replayed }) => recorded !== replayed);
  return {
    state: failures.length === 0 ? 'ok' : 'failed',
    minutesRecorded: compared.reduce((sum, { recorded }) => sum + recorded, 0),
    minutesReplayed: compared.reduce((sum, { replayed }) => sum + replayed, 0),
    failures,
  };
}
