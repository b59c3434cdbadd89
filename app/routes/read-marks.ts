import { getMarks } from '../../server/alerts/operations/marks.ts';
import { type PanelRequest, panel } from '../../server/http/adapters.ts';
import type { Marks } from './marks.ts';

/** What happened beside the runs of a scope; null where that is not known, or not granted. */
export async function readMarks(pageRequest: PanelRequest): Promise<Marks | null> {
  const answer = await panel(getMarks, { ...pageRequest, isOptional: true });
  return answer.ok ? answer.data : null;
}
