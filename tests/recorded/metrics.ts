import type { Caller } from './caller.ts';
import type { readsOf } from './questions.ts';

/** Asks for the evidence of every metric, about everything that a metric can be about. */
export async function askAboutMetrics(
  call: Caller,
  reads: ReturnType<typeof readsOf>,
  workflowId: number,
): Promise<void> {
  const explain = reads.find(({ path }) => path === '/api/explain');
  const metrics = explain?.parameters.find(({ name }) => name === 'metric')?.schema.enum ?? [];
  for (const metric of metrics) {
    const path = `/api/explain?metric=${metric}`;
    await call('GET', `${path}&owner=octo&repo=web`);
    await call('GET', `${path}&owner=octo&repo=tide&workflow_id=${workflowId}`);
    await call('GET', `${path}&owner=octo&repo=tide&format=csv`);
    await call('GET', `${path}&org=octo`);
    await call('GET', `${path}&owner=octo&login=ana`);
  }
}
