import type { z } from 'zod';
import type { Context } from '../access/context.ts';
import { Problem } from '../platform/problem.ts';
import { Explained, type ExplainInput, type Explanation } from '../reports/kernel/evidence.ts';
import { explanations } from '../reports/kernel/explanations.ts';
import { explain } from './explain.ts';
import { toAnswer } from './wire.ts';

interface Place {
  repo: string;
  workflow_id: number;
  job: string;
  /** Of a recommendation. */
  id?: string;
}

/** From few facts to many; the first in which a metric has five facts serves as its example. */
const places: readonly Place[] = [
  { repo: 'anchor-charts', workflow_id: 41600, job: 'Test' },
  { repo: 'driftwood-docs', workflow_id: 41400, job: 'Publish' },
  { repo: 'harbor-gateway', workflow_id: 41201, job: 'Deploy' },
  { repo: 'tidewater-web', workflow_id: 41000, job: 'Test' },
];
/** A merged change of the sample, for what needs a recommendation. */
const merged = { repo: 'pilot-mobile', workflow_id: 41300, job: 'Test', id: 'a29265cd0ab53b87' };
const organization = 'lumen-harbor';
const enough = 5;
/** For metrics that have several windows. */
const days = 30;

/** A number of the demo with its evidence, and the parameters of `/api/explain` that it is the answer to. */
export interface MetricExample {
  answer: z.output<typeof Explained>;
  input: ExplainInput;
}

/**
 * An explained metric over the first place of the sample organization with enough facts, else over the one with most.
 * @param context a visitor's of the demo
 */
export async function computeExample(metric: string, context: Context): Promise<MetricExample> {
  const explanation = explanations.get(metric);
  if (!explanation) throw new Error(`There is no metric ${metric}.`);
  const { needs } = explanation;
  let best: MetricExample | null = null;
  for (const place of placesFor(needs)) {
    const input = chooseInput(needs, place);
    // With the defaults of the address, so that it says the same.
    const requested = explain.input.parse({ metric, ...input });
    const answer = await explanation
      .explain(requested, context, { status: 200, headers: new Headers() })
      .catch(ignoreProblem);
    if (answer === null) continue;
    if (best === null || answer.sample > best.answer.sample) best = { answer: toAnswer(Explained, answer), input };
    if (answer.value !== null && answer.sample >= enough) break;
  }
  if (best === null) throw new Error('No part of the sample organization has this metric.');
  return best;
}

function placesFor(needs: Explanation['needs']): readonly Place[] {
  if (needs.includes('id')) return [merged];
  return needs.includes('repo') ? places : places.slice(0, 1);
}

/** A repository may have its issues switched off. */
function ignoreProblem(error: unknown): null {
  if (error instanceof Problem) return null;
  throw error;
}

function chooseInput(needs: Explanation['needs'], place: Place): ExplainInput {
  const input: ExplainInput = {};
  if (needs.includes('owner')) input.owner = organization;
  if (needs.includes('org')) input.org = organization;
  if (needs.includes('login')) input.login = 'tuan-pham';
  if (needs.includes('repo')) {
    input.repo = place.repo;
    input.days = days;
  }
  if (needs.includes('workflow_id')) input.workflow_id = place.workflow_id;
  if (needs.includes('job')) input.job = place.job;
  if (needs.includes('id')) input.id = place.id;
  return input;
}
