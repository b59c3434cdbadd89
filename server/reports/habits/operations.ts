import { z } from 'zod';
import { administrator, member } from '../../access/rules.ts';
import { operation } from '../../api/operation.ts';
import { insightDays, login, owner, repo } from '../../api/parameters.ts';
import { workday } from '../../settings/workday.ts';
import { dependOnOwner, dependOnRepository, untilWindowsMove } from '../kernel/dependencies.ts';
import { WorkdayExamples, workdayExamples } from './examples.ts';
import { findViewer, habitsReport } from './report.ts';
import { HabitsReport } from './schema.ts';

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
  async dependsOn(input, context) {
    const { scope, login } = await findViewer(input, context);
    const { owner, repo } = input;
    const until = untilWindowsMove(context.services.clock.now());
    const { scopes, sees } = await (repo
      ? dependOnRepository({ owner, repo }, context, until)
      : dependOnOwner(owner, context, until));
    return { scopes, sees: `${sees} ${scope} ${login}`, until };
  },
  run: habitsReport,
});

export const previewWorkday = operation({
  method: 'GET',
  path: '/api/settings/team/preview',
  summary: 'How commits would count with a workday that is not saved yet',
  access: administrator,
  input: workday.shape,
  output: WorkdayExamples,
  rows: ({ examples }) => examples,
  run: workdayExamples,
});
