import { administrator, feature } from '../../access/rules.ts';
import { aiAuthorship } from '../../settings/ai-authorship.ts';
import { readOperation, saveOperation } from './setting-operations.ts';

export const getAiAuthorshipSettings = readOperation(
  '/api/settings/ai-authorship',
  aiAuthorship,
  feature('aiAuthorship'),
);
export const putAiAuthorshipSettings = saveOperation('/api/settings/ai-authorship', aiAuthorship, administrator);
