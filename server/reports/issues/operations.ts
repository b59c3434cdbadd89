import { z } from 'zod';
import { feature } from '../../access/rules.ts';
import { operation } from '../../api/operation.ts';
import { fitted, repository } from '../../api/parameters.ts';
import { dependOnReadings } from '../kernel/dependencies.ts';
import { issuesReport } from './report.ts';
import { IssuesReport } from './schema.ts';

export const getIssues = operation({
  method: 'GET',
  path: '/api/codehost/issues',
  summary: 'How the backlog of issues moves and which wait, pull requests excluded; as a table the neglected ones',
  access: feature('issueHealth'),
  input: z.object({
    ...repository,
    days: fitted(7, 90, 30).meta({ description: 'Days back from now, 7 to 90; what is beyond is taken as the end.' }),
  }),
  output: IssuesReport,
  rows: ({ neglected }) => neglected,
  dependsOn: dependOnReadings,
  run: issuesReport,
});
