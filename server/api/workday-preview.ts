import { administrator } from '../access/rules.ts';
import { WorkdayExamples, workdayExamples } from '../reports/workday-examples.ts';
import { workday } from '../settings/workday.ts';
import { operation } from './operation.ts';

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
