import type { Context, Reply } from '../../access/context.ts';
import { Problem } from '../../platform/problem.ts';
import { type AiAuthorshipSettings, aiAuthorship } from '../../settings/ai-authorship.ts';
import { readSetting } from '../../settings/setting.ts';

type Source = Pick<Context, 'services' | 'isDemo'>;

/**
 * By what marks are looked for; in the sample organization as a new installation would, switched on.
 * @throws Problem `db_not_configured` without a database, `db_unavailable` while it cannot be read.
 */
export async function readAiAuthorship({ services: { store }, isDemo }: Source): Promise<AiAuthorshipSettings> {
  if (isDemo) return { ...aiAuthorship.fallback, enabled: true };
  if (store === null) throw new Problem('db_not_configured', 'Marks of AI agents need a database.');
  const { value, databaseAvailable } = await readSetting(aiAuthorship, store);
  if (!databaseAvailable) throw new Problem('db_unavailable', 'The settings of marks could not be read.');
  return value;
}

/** An operation about marks, which fails with `feature_off` until an administrator switched them on. */
export const whereOn =
  <Input, Output>(
    run: (input: Input, settings: AiAuthorshipSettings, context: Context, reply: Reply) => Promise<Output>,
  ) =>
  async (input: Input, context: Context, reply: Reply): Promise<Output> => {
    const settings = await readAiAuthorship(context);
    if (!settings.enabled)
      throw new Problem(
        'feature_off',
        'Marks of AI agents are not looked for. An administrator can switch it on at /settings/ai-authorship.',
      );
    return run(input, settings, context, reply);
  };
