import { z } from 'zod';
import { feature } from '../access/rules.ts';
import { securityScan } from '../reports/security-scan.ts';
import { securityScanSarif } from '../reports/security-scan-sarif.ts';
import { SecurityScan } from '../reports/security-scan-schema.ts';
import { operation } from './operation.ts';
import { repository } from './parameters.ts';

export const getSecurityScan = operation({
  method: 'GET',
  path: '/api/codehost/security-scan',
  summary: 'Findings in the workflow files of a repository, by severity; CSV and SARIF: the findings',
  access: feature('securityScan'),
  input: z.object(repository),
  output: SecurityScan,
  rows: ({ by_severity: { critical, high, medium, info } }) => [...critical, ...high, ...medium, ...info],
  sarif: securityScanSarif,
  run: securityScan,
});
