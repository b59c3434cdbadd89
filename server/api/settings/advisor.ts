import type { Context } from '../../access/context.ts';
import { administrator, signedIn } from '../../access/rules.ts';
import { kinds } from '../../advisor/kinds.ts';
import { onlyVisibleNames } from '../../reports/repositories/visibility.ts';
import { type AdvisorSettings, advisor, shownAdvisor } from '../../settings/advisor.ts';
import { readSetting } from '../../settings/setting.ts';
import { readOperation, saveOperation } from './setting-operations.ts';

export const getAdvisorSettings = readOperation(
  '/api/settings/advisor',
  { ...advisor, shape: shownAdvisor },
  signedIn,
  withVisibleNames,
);
export const putAdvisorSettings = saveOperation('/api/settings/advisor', advisor, administrator);

async function withVisibleNames(settings: AdvisorSettings, context: Context): Promise<AdvisorSettings> {
  const { repositories } = settings;
  if (repositories === 'tracked') return settings;
  return { ...settings, repositories: await onlyVisibleNames(repositories, context) };
}

/** What can be left out, by its title. */
export const recommendedKinds: readonly { id: string; title: string }[] = kinds.map(({ id, title }) => ({ id, title }));

/** Days of history that recommendations are of: those of a new installation in the demo, and while they cannot be read. */
export const windowDaysOf = async ({ services, isDemo }: Pick<Context, 'services' | 'isDemo'>): Promise<number> =>
  isDemo ? advisor.fallback.window_days : (await readSetting(advisor, services.store)).value.window_days;
