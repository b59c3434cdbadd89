import type { z } from 'zod';
import type { Context, Reply } from '../../access/context.ts';
import type { WorkflowFiles } from '../../codehost/workflow-files/client.ts';
import { toWire } from '../../domain/wire.ts';
import type { Repository, RepositoryName } from '../../metrics/kernel/facts.ts';
import { getRule } from '../../scan/rules.ts';
import type { FileScan, Finding } from '../../scan/scan.ts';
import { overallScore, severities } from '../../scan/score.ts';
import { noteCanonicalName, noteListing } from '../kernel/notes.ts';
import type { ScannedFile } from './files.ts';
import { type FindingPlace, formatFindingUrl, isScanPartial, scanRepositories, scanStatus } from './scans.ts';
import type { SecurityScan } from './schema.ts';

type Answer = z.input<typeof SecurityScan>;
type FindingItem = Answer['by_severity']['info'][number];

/** What is wrong with the workflow files of a repository. A denial by the platform is an error, never "clean". */
export async function securityScan(input: RepositoryName, context: Context, reply: Reply): Promise<Answer> {
  const codehost = await context.codehost();
  const [repository, read] = await Promise.all([codehost.repositories.get(input), codehost.workflowFiles(input)]);
  noteCanonicalName(reply, codehost, input);
  const { repositories, online } = await scanRepositories([read], context);
  const files = repositories.flat();
  const scans = selectWorst(files.map(({ scan }) => scan));
  const partial = isScanPartial(read, files) || scans.some(({ isTruncated }) => isTruncated);
  noteListing(reply, { ...read, partial });
  const findings = scans.flatMap(({ path, findings: found }) =>
    found.map((one) => findingItem(path, one, formatUrl(repository, read, context, { path, line: one.line }))),
  );
  const scanned = scans.filter(({ parseError }) => parseError === null).length;
  return {
    owner: repository.owner,
    repo: repository.repo,
    commit_sha: read.commitSha,
    repository_url: context.isDemo ? null : repository.htmlUrl,
    status: scanStatus(scans),
    workflows_found: scans.length,
    workflows_scanned: scanned,
    overall_score: overallScore(scans),
    overall_score_partial: scanned > 0 && scanned < scans.length,
    not_scanned: files.flatMap(notScannedItem),
    ...countFindings(findings),
    by_severity: bySeverity(findings),
    results: scans.map((scan) => fileItem(scan, findings)),
    action_file: read.actionFile,
    dependency_updates_file: read.updatesFile,
    online_rules: online,
    partial,
    generated_at: read.asOf,
    data_source: 'live',
  };
}

/** More than a person looks through; every one of them costs the process time when the answer is written. */
const maxFindings = 2000;

/** The same scans with the worst findings of all files, where there are too many for one answer. */
function selectWorst(scans: readonly FileScan[]): FileScan[] {
  const getRank = ({ severity }: Finding) => severities.indexOf(severity);
  const all = scans.flatMap(({ findings }) => findings).sort((one, other) => getRank(one) - getRank(other));
  const worst = new Set(all.slice(0, maxFindings));
  return scans.map((scan) => {
    const findings = scan.findings.filter((one) => worst.has(one));
    return { ...scan, findings, isTruncated: scan.isTruncated || findings.length < scan.findings.length };
  });
}

const notScannedItem = ({ scan, notScanned }: ScannedFile): Answer['not_scanned'] =>
  notScanned === null ? [] : [{ file_path: scan.path, reason: notScanned, detail: scan.parseError ?? '' }];

/** The sample world has no pages. */
const formatUrl = ({ htmlUrl }: Repository, { commitSha }: WorkflowFiles, { isDemo }: Context, place: FindingPlace) =>
  isDemo ? null : formatFindingUrl(htmlUrl, commitSha, place);

function findingItem(path: string, one: Finding, htmlUrl: string | null): FindingItem {
  const { title, description, fix, reference } = getRule(one.ruleId);
  return {
    ...toWire(one),
    title,
    description,
    fix,
    reference,
    file_path: path,
    html_url: htmlUrl,
  };
}

function fileItem(scan: FileScan, findings: readonly FindingItem[]): Answer['results'][number] {
  const { path, traits } = scan;
  return {
    file_path: path,
    findings: findings.filter(({ file_path }) => file_path === path),
    score: scan.score ?? 0,
    parse_error: scan.parseError,
    pinned_actions: traits?.pinnedActions ?? false,
    unpinned_actions: scan.unpinnedActions,
    has_permissions: traits?.hasPermissions ?? false,
    has_timeout: traits?.hasTimeout ?? false,
    echoes_secrets: traits?.echoesSecrets ?? false,
    secrets_as_cli_args: traits?.secretsAsArguments ?? false,
    unquoted_dispatch_inputs: traits?.unquotedDispatchInputs ?? false,
    uses_pull_request_target: traits?.usesPullRequestTarget ?? false,
  };
}

function countFindings(findings: readonly FindingItem[]) {
  const count = (wanted: FindingItem['severity']) => findings.filter(({ severity }) => severity === wanted).length;
  return {
    total_findings: findings.length,
    critical_count: count('critical'),
    high_count: count('high'),
    medium_count: count('medium'),
    info_count: count('info'),
    suppressed_count: findings.filter(({ suppression }) => suppression?.state === 'active').length,
  };
}

const bySeverity = (findings: readonly FindingItem[]) =>
  Object.fromEntries(
    severities.map((wanted) => [wanted, findings.filter(({ severity }) => severity === wanted)]),
  ) as Answer['by_severity'];
