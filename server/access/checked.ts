import { Problem } from '../platform/problem.ts';

/** Whatever keeps access from being checked never grants it. */
export async function looked<T>(look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    throw error instanceof Problem ? error : unchecked(error);
  }
}

export const unchecked = (cause: unknown) =>
  new Problem('authz_unavailable', 'Your access cannot be checked right now. Try again shortly.', {
    cause,
    details: { retry_after_s: 30 },
  });
