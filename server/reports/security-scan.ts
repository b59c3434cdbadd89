import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import type { Context, Reply } from '../access/context.ts';
import type { WorkflowFile, WorkflowFiles } from '../codehost/workflow-files-client.ts';
import type { Instant, Repository, RepositoryName } from '../metrics/facts.ts';
import type { Surroundings } from '../scan/rule.ts';
import { type FileScan, type Finding, scanFile, unreadFile } from '../scan/scan.ts';
import { overallScore, severities } from '../scan/score.ts';
import { largerRunnerLabels } from '../settings/runner-labels.ts';
import { iso } from './instants.ts';
import { noteCanonicalName, noteListing } from './notes.ts';
import { onlineKnowledge } from './security-scan-online.ts';
import type { SecurityScan } from './security-scan-schema.ts';

type Answer = z.input<typeof SecurityScan>;
type FindingItem = Answer['by_severity']['info'][number];

/** What is wrong with the workflow files of a repository. A refusal of the platform is an error, never "clean". */
export async function securityScan(input: RepositoryName, context: Context, reply: Reply): Promise<Answer> {
  const codehost = await context.codehost();
  const [repository, read] = await Promise.all([codehost.repositories.get(input), codehost.workflowFiles(input)]);
  noteCanonicalName(reply, codehost, input);
  const { scans, online } = scansOf(read, context);
  const partial = read.partial || scans.some(({ isCut }) => isCut);
  noteListing(reply, { ...read, partial, totalCount: null });
  const linkOf = linksTo(repository, read, context);
  const findings = scans.flatMap((scan) => scan.findings.map((one) => findingItem(scan.path, one, linkOf)));
  const scanned = scans.filter(({ parseError }) => parseError === null).length;
  return {
    ...{ owner: repository.owner, repo: repository.repo, commit_sha: read.commitSha },
    ...{ repository_url: context.isDemo ? null : repository.htmlUrl },
    ...{ status: statusOf(scans.length, scanned), workflows_found: scans.length, workflows_scanned: scanned },
    overall_score: overallScore(scans),
    ...countsOf(findings),
    by_severity: bySeverity(findings),
    results: scans.map((scan) => fileItem(scan, findings)),
    action_file: read.actionFile,
    dependency_updates_file: read.updatesFile,
    online_rules: online,
    ...{ partial, generated_at: iso(read.asOf), data_source: 'live' },
  };
}

/** What the files tell by themselves, and with what is known of the actions they use. */
function scansOf({ files, visibility }: WorkflowFiles, context: Context) {
  const { env, clock } = context.services;
  const alone = { visibility, largerRunnerLabels: Object.keys(largerRunnerLabels(env)), actions: null };
  const scans = files.map((file) => scanOf(file, alone, '', clock.now()));
  const { actions, version, told } = onlineKnowledge(
    scans.flatMap(({ actionUses }) => actionUses),
    context,
  );
  if (actions === null) return { scans, online: told };
  return { scans: files.map((file) => scanOf(file, { ...alone, actions }, version, clock.now())), online: told };
}

function statusOf(found: number, scanned: number): Answer['status'] {
  if (found === 0) return 'no_workflows';
  return scanned === 0 ? 'unreadable' : 'ok';
}

/** Scans follow from the text, which its blob id names, and what is known; a comment's date can end with the day. */
const known = new LRUCache<string, FileScan>({ maxSize: 16_000_000 });
const dayMs = 86_400_000;

function scanOf(file: WorkflowFile, around: Surroundings, version: string, now: Instant): FileScan {
  const { path, blobId, text, unread } = file;
  if (text === null) return unreadFile(path, reasons[unread ?? 'no answer']);
  const { visibility, largerRunnerLabels: labels } = around;
  const key = `${blobId} ${visibility} ${Math.floor(now / dayMs)} ${labels.join()} ${version} ${path}`;
  const before = known.get(key);
  if (before) return before;
  const scan = scanFile(path, text, around, now);
  known.set(key, scan, { size: 1000 + 1000 * scan.findings.length });
  return scan;
}

const reasons: Record<NonNullable<WorkflowFile['unread']>, string> = {
  binary: 'it is not a text',
  'too large': 'it is larger than the platform gives out whole',
  'a link': 'it is a link to another file',
  'no answer': 'the platform did not give its text',
};

/** Addresses of lines; null where the sample world has no pages. */
function linksTo({ htmlUrl }: Repository, { commitSha }: WorkflowFiles, { isDemo }: Context) {
  return (path: string, line: number | null) => {
    if (isDemo || commitSha === null) return null;
    const place = path.split('/').map(encodeURIComponent).join('/');
    return `${htmlUrl}/blob/${commitSha}/${place}${line === null ? '' : `#L${line}`}`;
  };
}

function findingItem(path: string, one: Finding, linkOf: ReturnType<typeof linksTo>): FindingItem {
  const { rule, line, suppression } = one;
  return {
    ...{ rule_id: rule.id, severity: one.severity, found_as: one.foundAs, confidence: one.confidence },
    ...{ title: rule.title, detail: one.detail, description: rule.description, fix: rule.fix },
    ...{ reference: rule.reference, file_path: path, line, job: one.job, step: one.step, context: one.context },
    ...{ html_url: linkOf(path, line), suppression },
  };
}

function fileItem(scan: FileScan, findings: readonly FindingItem[]): Answer['results'][number] {
  const { path, traits } = scan;
  return {
    ...{ file_path: path, findings: findings.filter(({ file_path }) => file_path === path) },
    ...{ score: scan.score, parse_error: scan.parseError },
    pinned_actions: traits?.pinnedActions ?? null,
    unpinned_actions: scan.unpinnedActions,
    has_permissions: traits?.hasPermissions ?? null,
    has_timeout: traits?.hasTimeout ?? null,
    echoes_secrets: traits?.echoesSecrets ?? null,
    secrets_as_cli_args: traits?.secretsAsArguments ?? null,
    unquoted_dispatch_inputs: traits?.unquotedDispatchInputs ?? null,
    uses_pull_request_target: traits?.usesPullRequestTarget ?? null,
  };
}

function countsOf(findings: readonly FindingItem[]) {
  const count = (wanted: FindingItem['severity']) => findings.filter(({ severity }) => severity === wanted).length;
  return {
    total_findings: findings.length,
    ...{ critical_count: count('critical'), high_count: count('high') },
    ...{ medium_count: count('medium'), info_count: count('info') },
    suppressed_count: findings.filter(({ suppression }) => suppression?.state === 'active').length,
  };
}

const bySeverity = (findings: readonly FindingItem[]) =>
  Object.fromEntries(
    severities.map((wanted) => [wanted, findings.filter(({ severity }) => severity === wanted)]),
  ) as Answer['by_severity'];
