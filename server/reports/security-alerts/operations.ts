import { z } from 'zod';
import { feature } from '../../access/rules.ts';
import { operation } from '../../api/operation.ts';
import { repository, securityFilter } from '../../api/parameters.ts';
import { dependOnReadings } from '../kernel/dependencies.ts';
import { securityAlerts } from './report.ts';
import { SecurityAlertsReport } from './schema.ts';

export const getSecurityAlerts = operation({
  method: 'GET',
  path: '/api/codehost/security-alerts',
  summary: 'GitHub alerts for dependencies, code and secrets, by source; CSV: the alerts',
  access: feature('securityAlerts'),
  input: z.object({ ...repository, ...securityFilter }),
  output: SecurityAlertsReport,
  rows: ({ alerts }) => alerts,
  dependsOn: dependOnReadings,
  run: securityAlerts,
});
