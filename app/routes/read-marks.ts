import { getMarks } from '../../server/alerts/operations/marks.ts';
import { type PanelRequest, panel } from '../../server/http/adapters.ts';
import { getWorkflowChanges } from '../../server/reports/workflow-files/operations.ts';
import type { Marks, WorkflowChange } from './marks.ts';

/** What happened beside the runs of a scope; null where that is not known, or not granted. */
export async function readMarks(pageRequest: PanelRequest): Promise<Marks | null> {
  const [answer, changes] = await Promise.all([
    panel(getMarks, { ...pageRequest, isOptional: true }),
    readChanges(pageRequest),
  ]);
  return answer.ok ? { ...answer.data, changes } : null;
}

/** Of what is requested of the platform a page with stored numbers waits so much less than usual. */
const extraTimeMs = -10_000;

/** Changes of the workflow files of one repository; none where it is of several, and where they are not known or not granted. */
async function readChanges(pageRequest: PanelRequest): Promise<WorkflowChange[]> {
  const { context, extra } = pageRequest;
  const name = extra?.repo ?? context.url.searchParams.get('repo');
  const [owner, repo] = name?.split('/') ?? [];
  if (!owner || !repo) return [];
  const wanted = { ...pageRequest, extra: { owner, repo, limit: undefined }, extraTimeMs, isOptional: true };
  const answer = await panel(getWorkflowChanges, wanted);
  return answer.ok ? answer.data : [];
}
