import type { Context, Reply } from '../../access/context.ts';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
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

/** Of repositories those that recommendations are made for. */
export async function listAdvised<Named extends RepositoryName>(
  repositories: readonly Named[],
  source: Source,
): Promise<Named[]> {
  const { repositories: chosen } = await readAdvisorSettings(source);
  if (chosen === 'tracked') return [...repositories];
  const names = new Set(chosen.map((name) => name.toLowerCase()));
  return repositories.filter(({ owner, repo }) => names.has(`${owner}/${repo}`.toLowerCase()));
}

/** Refuses a repository that the caller sees and that no recommendations are made for. */
async function refuseLeftOut(name: RepositoryName, context: Context): Promise<void> {
  if ((await listAdvised([name], context)).length > 0) return;
  const repository = await (await context.codehost()).repositories.get(name);
  if ((await listAdvised([repository], context)).length > 0) return;
  throw new Problem(
    'advisor_off',
    'CI recommendations are made for other repositories. An administrator chooses them at /settings/advisor.',
  );
}

/** An operation of the advisor, which fails with `advisor_off` where recommendations are off. */
export const whereOn =
  <Input extends Partial<Record<'owner' | 'repo', string | undefined>>, Output>(
    run: (input: Input, context: Context, reply: Reply) => Promise<Output>,
  ) =>
  async (input: Input, context: Context, reply: Reply): Promise<Output> => {
    const reason = await whyOff(context);
    if (reason !== null) throw new Problem('advisor_off', reason);
    const { owner, repo } = input;
    if (owner !== undefined && repo !== undefined) await refuseLeftOut({ owner, repo }, context);
    return run(input, context, reply);
  };
