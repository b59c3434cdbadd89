import { z } from 'zod';
import type { Domain } from '../../api/wire.ts';
import { Problem, type ProblemCode } from '../../platform/problem.ts';

export const coverageReasons = [
  'page_cap',
  'search_cap',
  'sub_fetch_failed',
  'rate_limited',
  'forbidden',
  'upstream_truncated',
] as const;

export type CoverageReason = (typeof coverageReasons)[number];

/** Why a part is missing for which the platform answered with this error code. */
export const missingBecause: Partial<Record<ProblemCode, CoverageReason>> = {
  upstream_unavailable: 'sub_fetch_failed',
  upstream_rate_limited: 'rate_limited',
  upstream_forbidden: 'forbidden',
  sso_required: 'forbidden',
};

/** Why a part is missing that failed with this error. A rejected token ends everything, and so does a defect. */
export function toReason(error: unknown): CoverageReason {
  if (!(error instanceof Problem) || error.code === 'unauthenticated') throw error;
  return missingBecause[error.code] ?? 'sub_fetch_failed';
}

/** A part that an answer can do without, or the problem that it failed with. A rejected token ends everything. */
export async function readOrProblem<T>(reading: Promise<T>): Promise<T | Problem> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Problem && error.code !== 'unauthenticated') return error;
    throw error;
  }
}

/** The same for whoever need not know why; null where it is denied or unavailable. */
export async function ifReadable<T>(reading: Promise<T>): Promise<T | null> {
  const result = await readOrProblem(reading);
  return result instanceof Problem ? null : result;
}

/** How complete the figures of an answer are; contract of the platform half, section 1.4. */
export const Coverage = z
  .object({
    complete: z.boolean(),
    expected: z.int().nullable().meta({ description: 'Items the window really holds, where that is known.' }),
    read: z.int().meta({ description: 'Items actually used.' }),
    cap: z.int().nullable().meta({ description: 'The limit that stopped the reading.' }),
    reasons: z.array(z.enum(coverageReasons)),
  })
  .meta({ id: 'Coverage' });

interface Covered<Reason> {
  read: number;
  expected?: number | null;
  cap?: number | null | undefined;
  reasons: readonly Reason[];
}

/** Complete exactly when there is no reason why not; a cap is named only where it truncated. */
export const toCoverage = <Reason extends string = CoverageReason>({
  read,
  expected = null,
  cap = null,
  reasons,
}: Covered<Reason>): Omit<Domain<typeof Coverage>, 'reasons'> & { reasons: Reason[] } => ({
  complete: reasons.length === 0,
  expected,
  read,
  cap: reasons.length === 0 ? null : cap,
  reasons: [...new Set(reasons)],
});
