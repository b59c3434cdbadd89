import { administrator, signedIn } from '../../access/rules.ts';
import { kinds } from '../../advisor/kinds.ts';
import { advisor } from '../../settings/advisor.ts';
import { readOperation, saveOperation } from './setting-operations.ts';

export const getAdvisorSettings = readOperation('/api/settings/advisor', advisor, signedIn);
export const putAdvisorSettings = saveOperation('/api/settings/advisor', advisor, administrator);

/** What can be left out, by its title. */
export const recommendedKinds: readonly { id: string; title: string }[] = kinds.map(({ id, title }) => ({ id, title }));
