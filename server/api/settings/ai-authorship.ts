import type { Context } from '../../access/context.ts';
import { administrator, feature, withoutAccessTokens } from '../../access/rules.ts';
import { onlyVisibleNames } from '../../reports/repositories/visibility.ts';
import { type AiAuthorshipSettings, aiAuthorship } from '../../settings/ai-authorship.ts';
import { readOperation, saveOperation } from './setting-operations.ts';

export const getAiAuthorshipSettings = readOperation(
  '/api/settings/ai-authorship',
  aiAuthorship,
  withoutAccessTokens(feature('aiAuthorship')),
  withVisibleNames,
);
export const putAiAuthorshipSettings = saveOperation('/api/settings/ai-authorship', aiAuthorship, administrator);

async function withVisibleNames(settings: AiAuthorshipSettings, context: Context): Promise<AiAuthorshipSettings> {
  return { ...settings, repositories_excluded: await onlyVisibleNames(settings.repositories_excluded, context) };
}
