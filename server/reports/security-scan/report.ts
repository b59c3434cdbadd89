import type { Context, Reply } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import type { WorkflowFiles } from '../../codehost/workflow-files/client.ts';
import type { Repository, RepositoryName } from '../../metrics/kernel/facts.ts';
import { getRule } from '../../scan/rules.ts';
import type { FileScan, Finding } from '../../scan/scan.ts';
import { overallScore, severities } from '../../scan/score.ts';
import { noteCanonicalName, noteListing } from '../kernel/notes.ts';
import type { ScannedFile } from './files.ts';
import { type FindingPlace, formatFindingUrl, isScanPartial, scanRepositories, scanStatus } from './scans.ts';
import type { SecurityScan } from './schema.ts';

type Answer = Domain<typeof SecurityScan>;
type FindingItem = Answer['bySeverity']['info'][number];

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
    commitSha: read.commitSha,
    repositoryUrl: context.isDemo ? null : repository.htmlUrl,
    status: scanStatus(scans),
    workflowsFound: scans.length,
    workflowsScanned: scanned,
    overallScore: overallScore(scans),
    overallScorePartial: scanned > 0 && scanned < scans.length,
    notScanned: files.flatMap(notScannedItem),
    ...countFindings(findings),
    bySeverity: bySeverity(findings),
    results: scans.map((scan) => fileItem(scan, findings)),
    actionFile: read.actionFile,
    dependencyUpdatesFile: read.updatesFile,
    onlineRules: online,
    partial,
    generatedAt: read.asOf,
    dataSource: 'live',
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

const notScannedItem = ({ scan, notScanned }: ScannedFile): Answer['notScanned'] =>
  notScanned === null ? [] : [{ filePath: scan.path, reason: notScanned, detail: scan.parseError ?? '' }];

/** The sample world has no pages. */
const formatUrl = ({ htmlUrl }: Repository, { commitSha }: WorkflowFiles, { isDemo }: Context, place: FindingPlace) =>
  isDemo ? null : formatFindingUrl(htmlUrl, commitSha, place);

function findingItem(path: string, one: Finding, htmlUrl: string | null): FindingItem {
  const { title, description, fix, reference } = getRule(one.ruleId);
  return {
    ...one,
    title,
    description,
    fix,
    reference,
    filePath: path,
    htmlUrl,
  };
}

function fileItem(scan: FileScan, findings: readonly FindingItem[]): Answer['results'][number] {
  const { path, traits } = scan;
  return {
    filePath: path,
    findings: findings.filter(({ filePath }) => filePath === path),
    score: scan.score ?? 0,
    parseError: scan.parseError,
    pinnedActions: traits?.pinnedActions ?? false,
    unpinnedActions: scan.unpinnedActions,
    hasPermissions: traits?.hasPermissions ?? false,
    hasTimeout: traits?.hasTimeout ?? false,
    echoesSecrets: traits?.echoesSecrets ?? false,
    secretsAsCliArgs: traits?.secretsAsArguments ?? false,
    unquotedDispatchInputs: traits?.unquotedDispatchInputs ?? false,
    usesPullRequestTarget: traits?.usesPullRequestTarget ?? false,
  };
}

function countFindings(findings: readonly FindingItem[]) {
  const count = (wanted: FindingItem['severity']) => findings.filter(({ severity }) => severity === wanted).length;
  return {
    totalFindings: findings.length,
    criticalCount: count('critical'),
    highCount: count('high'),
    mediumCount: count('medium'),
    infoCount: count('info'),
    suppressedCount: findings.filter(({ suppression }) => suppression?.state === 'active').length,
  };
}

function bySeverity(findings: readonly FindingItem[]): Answer['bySeverity'] {
  const list = (wanted: FindingItem['severity']) => findings.filter(({ severity }) => severity === wanted);
  return { critical: list('critical'), high: list('high'), medium: list('medium'), info: list('info') };
}
