import type { Context } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import type { WorkflowFiles } from '../../codehost/workflow-files/client.ts';
import type { FileScan } from '../../scan/scan.ts';
import { largerRunnerLabels } from '../runners/report.ts';
import { type NotScannedReason, type ScannedFile, scanBudget, scanFiles, scanWithActions } from './files.ts';
import { type OnlineRules, onlineKnowledge } from './online.ts';

/** The workflow files of repositories after their scan, and whether the rules that ask the platform were applied. */
export interface Scans {
  /** In the order of the question. */
  repositories: ScannedFile[][];
  online: Domain<typeof OnlineRules>;
}

/** Findings in the files alone, and with what is known of the actions they use. */
export async function scanRepositories(reads: readonly WorkflowFiles[], context: Context): Promise<Scans> {
  const labels = Object.keys(largerRunnerLabels(context.services.env));
  const within = { context, budget: scanBudget(reads.length) };
  const alone: ScannedFile[][] = [];
  for (const { files, visibility } of reads)
    alone.push(await scanFiles(files, { visibility, largerRunnerLabels: labels }, within));
  const { actions, status } = onlineKnowledge(
    alone.flat().flatMap(({ scan }) => scan.actionUses),
    context,
  );
  if (actions === null) return { repositories: alone, online: status };
  const repositories: ScannedFile[][] = [];
  for (const [index, { files, visibility }] of reads.entries()) {
    const around = { visibility, largerRunnerLabels: labels, actions };
    repositories.push(await scanWithActions(files, alone[index] ?? [], around, within));
  }
  const isApplied = !repositories.flat().some(({ lacksActions }) => lacksActions);
  const state = isApplied || status.state !== 'complete' ? status.state : 'partial';
  return { repositories, online: { ...status, state } };
}

/** Whether more could be known of a repository than its scan tells. */
export const isScanPartial = (read: WorkflowFiles, scanned: readonly ScannedFile[]): boolean =>
  read.partial ||
  scanned.some(
    ({ scan, notScanned, lacksActions }) =>
      scan.isTruncated || lacksActions || (notScanned !== null && isOverBudget(notScanned)),
  );

/** Whether more could be known of a file than is reported; of the others there is nothing to scan. */
const isOverBudget = (reason: NotScannedReason) => !['syntax_error', 'binary', 'link'].includes(reason);

export interface FindingPlace {
  path: string;
  line: number | null;
}

/** The page of a line of a file, at the commit that was read. */
export function formatFindingUrl(
  htmlUrl: string,
  commitSha: string | null,
  { path, line }: FindingPlace,
): string | null {
  if (commitSha === null) return null;
  const place = path.split('/').map(encodeURIComponent).join('/');
  return `${htmlUrl}/blob/${commitSha}/${place}${line === null ? '' : `#L${line}`}`;
}

/** Whether there was anything to scan, and whether any of it was scanned. */
export function scanStatus(scans: readonly FileScan[]): 'ok' | 'no_workflows' | 'unreadable' {
  if (scans.length === 0) return 'no_workflows';
  return scans.every(({ parseError }) => parseError !== null) ? 'unreadable' : 'ok';
}
