import { z } from 'zod';
import { feature } from '../../access/rules.ts';
import { operation } from '../../api/operation.ts';
import { repository } from '../../api/parameters.ts';
import { dependOnReadings } from '../kernel/dependencies.ts';
import { BusFactorReport, busFactorReport } from './report.ts';

export const getBusFactor = operation({
  method: 'GET',
  path: '/api/codehost/bus-factor',
  summary: 'How few people wrote most of each module in the last 90 days; as a table its modules',
  access: feature('busFactor'),
  input: z.object(repository),
  output: BusFactorReport,
  rows: ({ modules }) => modules,
  dependsOn: dependOnReadings,
  run: busFactorReport,
});
