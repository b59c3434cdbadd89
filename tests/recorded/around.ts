import type { Caller } from './caller.ts';
import { aboutOthers, goodQuestion, otherQuestions, type Read, withQuery } from './questions.ts';

/** Where the busy repository keeps what the named one keeps under other ids. */
export interface Busy {
  workflowId: number;
  runId: number;
}

/** Asks an operation in every way, and about everything, unless its good question is rejected. */
export async function askAround(call: Caller, read: Read, { workflowId, runId }: Busy): Promise<void> {
  const path = withQuery(read.path, goodQuestion(read));
  const { status } = await call('GET', path);
  if (status >= 400) return;
  await call('HEAD', path);
  await call('POST', path, { body: {} });
  if (read.isTable) await call('GET', path, { headers: { accept: 'text/csv' } });
  for (const one of [...otherQuestions(read), ...aboutOthers(read)]) await call('GET', one);
  const ids: Record<string, string> = { repo: 'tide', workflow_id: String(workflowId), run_id: String(runId) };
  if (!path.includes('_id=')) return;
  const moved = Object.entries(goodQuestion(read)).map(([name, value]) => [name, ids[name] ?? value]);
  await call('GET', withQuery(read.path, Object.fromEntries(moved)));
}
