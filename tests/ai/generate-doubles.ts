import pino from 'pino';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { z } from 'zod';
import { createAiLayer, type Surface } from '../../server/ai/generate.ts';
import { type Env, readEnv } from '../../server/platform/env.ts';
import type { Store } from '../../server/store/orm.ts';
import { type AiDouble, startAiDouble } from '../support/ai-double.ts';

/** Keys of the environment; nothing but the header of a request may hold one. */
export const canary = /canary/;

export const surface: Surface<{ summary: string }> = {
  name: 'insights',
  promptVersion: 1,
  system: 'Sum it up as JSON.',
  maxOutputTokens: 300,
  ttlMs: 900_000,
  shape: z.object({ summary: z.string().max(400) }),
  texts: ({ summary }) => [summary],
};

export const request = {
  scope: 'repo:octo/web',
  snapshot: { period_days: 30, runs: 12 },
  refresh: false,
  priority: 'interactive' as const,
};

interface Beginning {
  store?: Store | null;
  /** Which providers have a key in the environment. */
  keys?: readonly ('anthropic' | 'gemini' | 'openai')[];
  env?: Record<string, string>;
  /** What could be too slow for a test as the configuration has it. */
  waits?: Partial<Pick<Env, 'AI_TIMEOUT_MS' | 'AI_TOTAL_BUDGET_MS'>>;
  /** Waits as long as the service does before it tries again. */
  isPatient?: boolean;
}

/** The three providers of the environment, forgetful between tests, and layers that ask them. */
export function threeProviders() {
  const doubles = {} as Record<'anthropic' | 'gemini' | 'openai', AiDouble>;
  const said: string[] = [];
  let now = Date.UTC(2026, 10, 22, 12);
  beforeAll(async () => {
    for (const name of ['anthropic', 'gemini', 'openai'] as const) doubles[name] = await startAiDouble();
  });
  afterEach(() => {
    expect(said.join('')).not.toMatch(/canary|Sum it up|period_days|summary|https?:/);
    for (const double of Object.values(doubles)) double.reset();
  });
  afterAll(async () => {
    for (const double of Object.values(doubles)) await double.close();
  });
  const log = pino({ level: 'debug' }, { write: (line: string) => void said.push(line) });
  const clock = { now: () => now };
  return {
    doubles,
    /** Everything that was logged. */
    said,
    clock,
    later: (ms: number) => {
      now += ms;
    },
    /** How often each of the three was requested, in their order. */
    asks: () => Object.values(doubles).map(({ received }) => received.length),
    begin({ store = null, keys = ['anthropic', 'gemini', 'openai'], env, waits, isPatient = false }: Beginning = {}) {
      const given = Object.fromEntries(
        Object.entries(doubles).flatMap(([name, { url }]) => [
          [`${name.toUpperCase()}_BASE_URL`, url],
          ...(keys.some((key) => key === name) ? [[`${name.toUpperCase()}_API_KEY`, `canary-${name}-0815`]] : []),
        ]),
      );
      const read = readEnv({ NODE_ENV: 'test', SESSION_SECRET: 'k3Jd92lsQpeR8vTz0xWn5yBcGhUaFmXo', ...given, ...env });
      const parts = { env: { ...read, ...waits }, store, clock, log };
      return { ...createAiLayer({ ...parts, ...(isPatient ? {} : { retryAfterMs: 5 }) }), env: parts.env };
    },
  };
}

/** The code with which a generation is rejected; its words are ours alone. */
export async function denial(generation: Promise<unknown>): Promise<string> {
  const problem = await generation.then(
    () => null,
    (error: unknown) => error as { code?: string; message: string; details?: object },
  );
  expect(JSON.stringify({ ...problem, message: problem?.message })).not.toMatch(/canary|Sum it up|period_days|http/);
  return problem?.code ?? 'none';
}
