import { z } from 'zod';
import { member } from '../../access/rules.ts';
import { operation } from '../../api/operation.ts';
import { searched } from '../../api/parameters.ts';
import { searchReport } from './report.ts';
import { SearchReport } from './schema.ts';

export const search = operation({
  method: 'GET',
  path: '/api/search',
  summary: 'Repositories, workflows and people by part of their name, of what the caller can see',
  access: member,
  input: z.object({
    q: searched.optional().meta({ description: 'Part of a name, in any case; without it nothing is found.' }),
  }),
  output: SearchReport,
  run: searchReport,
});
