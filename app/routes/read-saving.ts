import type { PanelRequest } from '../../server/http/adapters.ts';
import { deferPanels } from '../../server/http/deferred-panels.ts';
import { getPlan } from '../../server/reports/advisor/operations.ts';

interface Scope {
  org?: string | undefined;
  owner?: string | undefined;
  repo?: string | undefined;
}

/** What recommended changes would save in an organization or a repository, beside the subject of a page. */
export const readSaving = (pageRequest: PanelRequest, { org, owner, repo }: Scope) =>
  deferPanels({ ...pageRequest, isOptional: true, extra: { org, owner, repo, limit: '1' } }, { plan: getPlan });
