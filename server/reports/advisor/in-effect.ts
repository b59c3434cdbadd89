import type { Context, Reply } from '../../access/context.ts';
import { Problem } from '../../platform/problem.ts';
import { type AdvisorSettings, advisor } from '../../settings/advisor.ts';
import { readSetting } from '../../settings/setting.ts';

type Source = Pick<Context, 'services' | 'isDemo'>;

/**
 * The settings that recommendations are made by; the sample world has those of a new installation.
 * @throws Problem `db_unavailable` while they cannot be read: what was turned off is not on meanwhile.
 */
export async function readAdvisorSettings({ services: { store }, isDemo }: Source): Promise<AdvisorSettings> {
  if (isDemo || store === null) return advisor.fallback;
  const { value, databaseAvailable } = await readSetting(advisor, store);
  if (!databaseAvailable) throw new Problem('db_unavailable', 'The settings of recommendations could not be read.');
  return value;
}

/** Why nothing is recommended here; null where recommendations are on. */
export async function whyOff(source: Source): Promise<string | null> {
  if (source.services.env.ADVISOR === 'off' && !source.isDemo)
    return 'CI recommendations are off: whoever operates this service set ADVISOR to off.';
  const { enabled } = await readAdvisorSettings(source);
  return enabled ? null : 'CI recommendations are off. An administrator can turn them on at /settings/advisor.';
}

/** An operation of the advisor, which fails with `advisor_off` where recommendations are off. */
export const whereOn =
  <Input, Output>(run: (input: Input, context: Context, reply: Reply) => Promise<Output>) =>
  async (input: Input, context: Context, reply: Reply): Promise<Output> => {
    const reason = await whyOff(context);
    if (reason !== null) throw new Problem('advisor_off', reason);
    return run(input, context, reply);
  };
