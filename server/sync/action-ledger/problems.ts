import { Problem } from '../../platform/problem.ts';

/** Whether nothing more can be read for now: the quota is spent, or the token was rejected. */
const endsReading = ({ code }: Problem): boolean => code === 'upstream_rate_limited' || code === 'unauthenticated';

/**
 * The problem of one request: what it was about is read another time, and everything else goes on.
 * @throws what ends the reading, and what is no problem of the platform.
 */
export function passOver(error: unknown): Problem {
  if (!(error instanceof Problem) || endsReading(error)) throw error;
  return error;
}

/** @throws Problem where one of these answers ends the reading. */
export function throwIfEnded(answers: readonly (object | Problem)[]): void {
  const ended = answers.find((one) => one instanceof Problem && endsReading(one));
  if (ended) throw ended;
}

/** The alarm of a move that is judged does not wait for what could not be read. */
export function keepProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  throw error;
}
