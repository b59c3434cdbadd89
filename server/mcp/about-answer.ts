import { z } from 'zod';
import type { Part } from './reader.ts';

/** Where the facts of an answer came from. */
export type Source = 'live' | 'database' | 'mixed';

export interface Window {
  from: string;
  to: string;
}

export interface CoverageOfAnswer {
  complete: boolean;
  expected: number | null;
  read: number;
  reasons: string[];
}

interface AboutAnswer {
  asOf: string;
  source: Source;
  isPartial: boolean;
  timezone: string | null;
  coverage: CoverageOfAnswer | null;
  /** Why it is partial, where it says so without a coverage. */
  reasons: string[];
  window: Window | null;
}

const sources = z.enum(['live', 'database', 'mixed']);

/** What answers of the API say about themselves; each of them says a part of it. */
const Said = z.object({
  generated_at: z.string().optional(),
  data_source: sources.optional(),
  partial: z.boolean().optional(),
  partial_reasons: z.array(z.string()).optional(),
  timezone: z.string().optional(),
  coverage: z
    .object({
      complete: z.boolean(),
      expected: z.number().nullable(),
      read: z.number(),
      reasons: z.array(z.string()),
    })
    .optional()
    .catch(undefined),
  window_days: z.number().optional(),
  benchmark_window_days: z.number().optional(),
  period_days: z.number().optional(),
  window: z.object({ from: z.string(), to: z.string() }).nullish().catch(undefined),
});

const dayMs = 86_400_000;

const known = new WeakMap<object, z.output<typeof Said>>();

/** Answers that are given again from memory are looked at once. */
function saidBy(answer: object): z.output<typeof Said> {
  const said = known.get(answer) ?? Said.safeParse(answer).data ?? {};
  known.set(answer, said);
  return said;
}

export function aboutAnswer({ answer, headers, readAt }: Part): AboutAnswer {
  const said = saidBy(answer as object);
  const asOf = said.generated_at ?? headers.get('X-Data-As-Of') ?? readAt;
  const days = said.window_days ?? said.benchmark_window_days ?? said.period_days;
  return {
    asOf,
    source: said.data_source ?? sources.catch('live').parse(headers.get('X-Data-Source')),
    isPartial: said.partial ?? headers.get('X-Partial') === 'true',
    timezone: said.timezone ?? null,
    coverage: said.coverage ?? null,
    reasons: said.partial_reasons ?? [],
    window: said.window ?? (days === undefined ? null : lastDays(days, asOf)),
  };
}

const lastDays = (days: number, to: string): Window => ({
  from: new Date(Date.parse(to) - days * dayMs).toISOString(),
  to,
});
