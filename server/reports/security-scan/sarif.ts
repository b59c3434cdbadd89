import type { z } from 'zod';
import { serviceVersion } from '../../domain/service-version.ts';
import type { Env } from '../../platform/env.ts';
import { nameHost } from '../../platform/host-name.ts';
import { onlineRules } from '../../scan/rules/online.ts';
import { rules } from '../../scan/rules.ts';
import { type SarifFinding, sarifLog } from '../../scan/sarif.ts';
import type { SecurityScan } from './schema.ts';

type Answer = z.output<typeof SecurityScan>;
type FindingItem = Answer['results'][number]['findings'][number];

/** The findings of an answer as a SARIF log, for tools that gather findings of many kinds. */
export const securityScanSarif = (
  { repository_url, commit_sha, results, online_rules }: Answer,
  env: Pick<Env, 'APP_URL' | 'CODEHOST_WEB_URL'>,
): object =>
  sarifLog({
    version: serviceVersion,
    informationUri: `${env.APP_URL}/docs`,
    repositoryUri: repository_url,
    commitSha: commit_sha,
    rules: online_rules.state === 'off' ? rules.filter((one) => !onlineRules.includes(one)) : rules,
    silent: online_rules.state === 'reading' || online_rules.state === 'partial' ? [nameHost(silence, env)] : [],
    findings: results.flatMap(({ findings }) => findings.map(sarifFinding)),
    unread: results.flatMap(({ file_path, parse_error }) =>
      parse_error === null ? [] : [{ path: file_path, reason: parse_error }],
    ),
  });

const ids = onlineRules.map(({ id }) => id).join(', ');
const silence = `Not every action could be checked on GitHub: ${ids} may be incomplete.`;

const sarifFinding = (one: FindingItem): SarifFinding => ({
  ruleId: one.rule_id,
  severity: one.found_as,
  confidence: one.confidence,
  message: `${one.detail ?? one.description} ${one.fix}`,
  path: one.file_path,
  line: one.line,
  snippet: one.context,
  job: one.job,
  step: one.step,
  suppressedBecause: one.suppression?.state === 'active' ? one.suppression.reason : null,
});
