import { z } from 'zod';
import { feature } from '../../access/rules.ts';
import { operation } from '../../api/operation.ts';
import { repository } from '../../api/parameters.ts';
import { dependOnReadings } from '../kernel/dependencies.ts';
import { securityScan } from './report.ts';
import { securityScanSarif } from './sarif.ts';
import { SecurityScan } from './schema.ts';

export const getSecurityScan = operation({
  method: 'GET',
  path: '/api/codehost/security-scan',
  summary: 'Findings in the workflow files of a repository, by severity; CSV and SARIF: the findings',
  access: feature('securityScan'),
  input: z.object(repository),
  output: SecurityScan,
  rows: ({ by_severity: { critical, high, medium, info } }) => [...critical, ...high, ...medium, ...info],
  sarif: securityScanSarif,
  dependsOn: dependOnReadings,
  run: securityScan,
});
