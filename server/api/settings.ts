import { z } from 'zod';
import { administrator } from '../access/rules.ts';
import { isoOrNull } from '../reports/instants.ts';
import { readSetting, type Setting } from '../settings/setting.ts';
import { workday } from '../settings/workday.ts';
import { workingHabits } from '../settings/working-habits.ts';
import { operation } from './operation.ts';

export const getTeamSettings = readOperation('/api/settings/team', workday);
export const getWorkingHabitsSettings = readOperation('/api/settings/working-habits', workingHabits);

/** The operation that tells what of a setting is in effect. */
function readOperation<Shape extends z.ZodObject>(path: `/api/${string}`, setting: Setting<Shape>) {
  const output = z.object({
    ...setting.shape.shape,
    defaults: z.object(setting.shape.shape),
    source: z.enum(['default', 'saved']),
    updated_by: z.string().nullable(),
    updated_at: z.iso.datetime().nullable(),
    db_available: z.boolean(),
  });
  return operation({
    method: 'GET',
    path,
    summary: `${setting.title}: what is in effect`,
    access: administrator,
    input: z.object({}),
    output,
    run: async (_input, { services }) => {
      const { value, source, updatedBy, updatedAt, databaseAvailable } = await readSetting(setting, services.store);
      return {
        ...value,
        defaults: setting.fallback,
        source,
        updated_by: updatedBy,
        updated_at: isoOrNull(updatedAt),
        db_available: databaseAvailable,
      } as unknown as z.input<typeof output>;
    },
  });
}
