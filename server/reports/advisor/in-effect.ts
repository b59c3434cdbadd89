import type { Context, Reply } from '../../access/context.ts';
import { Problem } from '../../platform/problem.ts';
import { type AdvisorSettings, advisor } from '../../settings/advisor.ts';
import { readSetting } from '../../settings/setting.ts';

type Source = Pick<Context, 'services' | 'isDemo'>;

/** The settings that recommendations are made by; the sample world has those of a new installation. */
export const readAdvisorSettings = async ({ services, isDemo }: Source): Promise<AdvisorSettings> =>
  isDemo ? advisor.fallback : (await readSetting(advisor, services.store)).value;

/** Why nothing is recommended here; null where recommendations are on. */
export async function whyOff(source: Source): Promise<string | null> {
  if (source.services.env.ADVISOR === 'off' && !source.isDemo)
    return 'CI recommendations are off: whoever operates this service set ADVISOR to off.';
  const { enabled } = await readAdvisorSettings(source);
  return enabled
    ? null
    : 'CI recommendations are off. An administrator can turn them on under Settings, Recommendations.';
}

/** An operation of the advisor, which fails with `advisor_off` where recommendations are off. */
export const whereOn =
  <Input, Output>(run: (input: Input, context: Context, reply: Reply) => Promise<Output>) =>
  async (input: Input, context: Context, reply: Reply): Promise<Output> => {
    const reason = await whyOff(context);
    if (reason !== null) throw new Problem('advisor_off', reason);
    return run(input, context, reply);
  };
