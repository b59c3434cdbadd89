import { useEffect, useState } from 'react';
import { useRevalidator } from 'react-router';
import type { Result } from './sync-outcome.tsx';

/** Calls made without anybody asking, after which a person decides. One call reads for up to 50 seconds. */
export const maxCalls = 20;

/** A call may change nothing and still have come further, so the next one follows; but never at once. */
const pauseMs = 1000;

/**
 * The latest result of a synchronization that the page goes on with while it is partial and the service does not, and
 * how it stands: `waiting` for a person (without scripts always), `going`, `spent` quota, at the `limit` of calls, or
 * `over`. The page is read anew after each call.
 */
export function useContinuation(first: Result, scope: Record<string, string>, isContinued: boolean) {
  const { revalidate } = useRevalidator();
  const [done, setDone] = useState(first);
  const [calls, setCalls] = useState(0);
  const [going, setGoing] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const state = isContinued ? 'over' : continuationStatus(done, going, calls);
  useEffect(() => setGoing(true), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each call waits for the one before; the rest changes with every draw.
  useEffect(() => {
    if (state !== 'going') return;
    const timer = setTimeout(async () => {
      const answer = await call(scope);
      if ('error' in answer) {
        setRefused(answer.error);
        setGoing(false);
      } else setDone(answer);
      setCalls(calls + 1);
      await revalidate();
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [state, calls]);
  return { done, calls, state, refused, stop: () => setGoing(false) };
}

async function call(scope: Record<string, string>): Promise<Result | { error: string }> {
  const headers = { 'content-type': 'application/json' };
  try {
    const answer = await fetch('/api/db/sync', { method: 'POST', headers, body: JSON.stringify(scope) });
    return await answer.json();
  } catch {
    return { error: 'The service could not be reached.' };
  }
}

type ContinuationStatus = 'over' | 'spent' | 'waiting' | 'going' | 'limit';

function continuationStatus({ partial, results }: Result, going: boolean, calls: number): ContinuationStatus {
  if (!partial) return 'over';
  if (results.some(({ code }) => code === 'upstream_rate_limited')) return 'spent';
  if (!going) return 'waiting';
  return calls < maxCalls ? 'going' : 'limit';
}
