import type { Context } from '../../access/context.ts';
import { administrator, feature, withoutAccessTokens } from '../../access/rules.ts';
import { nameKey, visibleRepositories } from '../../reports/repositories/visibility.ts';
import { type AiAuthorshipSettings, aiAuthorship } from '../../settings/ai-authorship.ts';
import { readOperation, saveOperation } from './setting-operations.ts';

export const getAiAuthorshipSettings = readOperation(
  '/api/settings/ai-authorship',
  aiAuthorship,
  withoutAccessTokens(feature('aiAuthorship')),
  withVisibleNames,
);
export const putAiAuthorshipSettings = saveOperation('/api/settings/ai-authorship', aiAuthorship, administrator);

/** Who does not administer the service sees no excluded repository that is not among their own. */
async function withVisibleNames(settings: AiAuthorshipSettings, context: Context): Promise<AiAuthorshipSettings> {
  const { repositories_excluded } = settings;
  if (repositories_excluded.length === 0 || (await context.actor()).isAdmin) return settings;
  const visible = new Set((await visibleRepositories(context)).map(nameKey));
  return {
    ...settings,
    repositories_excluded: repositories_excluded.filter((name) => visible.has(name.toLowerCase())),
  };
}
