import { administrator, organizationAdministrator } from '../../access/rules.ts';
import { workday } from '../../settings/workday.ts';
import { workingHabits } from '../../settings/working-habits.ts';
import { readOperation, saveOperation } from './setting-operations.ts';

const habits = '/api/settings/working-habits';

export const getTeamSettings = readOperation('/api/settings/team', workday, administrator);
export const putTeamSettings = saveOperation('/api/settings/team', workday, organizationAdministrator);
export const getWorkingHabitsSettings = readOperation(habits, workingHabits, administrator);
export const putWorkingHabitsSettings = saveOperation(habits, workingHabits, organizationAdministrator);
