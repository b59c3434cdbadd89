import type { JobEvidence } from './job-evidence.ts';
import { isListed, type Suspect } from './suspect.ts';
import type { Judgement } from './verdict.ts';

/** Whether a run is one of the compromised repository: its own files run without being downloaded as an action. */
export const isOfSuspect = (
  suspect: Suspect,
  { repository, headSha }: Pick<JobEvidence, 'repository' | 'headSha'>,
): boolean => suspect.actionKeys.includes(repository) || isListed(suspect, headSha);

/** What of the compromised repository such a run may have run without naming it; null where its file tells all of that. */
export function judgeOwnFiles(suspect: Suspect, job: JobEvidence): Judgement | null {
  const { file, headSha } = job;
  const mayHave = file === null || file.unknown.includes('local_action_not_in_tree');
  if (!mayHave || !isOfSuspect(suspect, job)) return null;
  const reason = file === null ? 'unreadable_file' : 'local_action_not_in_tree';
  return { verdict: 'possible', reasons: [reason], likelihood: isListed(suspect, headSha) ? 'likely' : 'open' };
}
