import type { Context } from '../../../server/access/context.ts';
import { getRepositorySummary } from '../../../server/api/codehost.ts';
import { panel } from '../../../server/http/doors.ts';

interface Asked {
  context: Context;
  params: Record<string, string | undefined>;
}

/**
 * Whether a link to the issues of a repository opens: not where its tracker is off. Only the sample world is asked,
 * where that costs nothing; elsewhere the overview knows it anyway, and the page of the issues says it.
 */
export async function hasTracker({ context, params }: Asked): Promise<boolean> {
  if (!context.isDemo) return true;
  const summary = await panel(getRepositorySummary, { context, params, isAside: true });
  return !summary.ok || summary.data.open_issues !== null;
}
