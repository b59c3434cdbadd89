import { makeWorld } from '../../server/demo/world.ts';
import { addSample } from '../codehost-double/sample.ts';
import type { DoubleWorld } from '../codehost-double/world.ts';

/** What octo has beside its own: a repository in which much happens, under the ids of the sample world. */
export function addBusyRepository(world: DoubleWorld): { workflowId: number; runId: number } {
  const { repositories } = makeWorld({ seed: 'recorded', now: world.now });
  const sample = repositories.find(({ repository }) => repository.repo === 'tidewater-web');
  const [workflow] = sample?.workflows ?? [];
  const run = sample?.runs.find(({ workflowId }) => workflowId === workflow?.id);
  if (!sample || !workflow || !run) throw new Error('The sample world has no such repository.');
  addSample(world, 'octo/tide', sample);
  return { workflowId: workflow.id, runId: run.id };
}
