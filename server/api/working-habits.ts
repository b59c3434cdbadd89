import { z } from 'zod';
import { member } from '../access/rules.ts';
import { habitsReport } from '../reports/working-habits.ts';
import { HabitsReport } from '../reports/working-habits-schema.ts';
import { operation } from './operation.ts';
import { insightDays, login, owner, repo } from './parameters.ts';

export const getWorkingHabits = operation({
  method: 'GET',
  path: '/api/db/working-habits',
  summary: 'Sizes of commits and pull requests by person, from the database; as a table the people',
  access: member,
  input: z.object({
    owner,
    repo: repo.optional().meta({ description: 'Without it every synchronized repository of the owner.' }),
    login: login
      .optional()
      .meta({ description: 'One person. Required, and one’s own, without the feature workingHabits.' }),
    days: insightDays.meta({ description: 'By when pull requests were merged; without it 30.' }),
  }),
  output: HabitsReport,
  rows: ({ people }) => people,
  run: habitsReport,
});
