import { figures } from '../../../server/domain/quantity.ts';
import type { PanelsOf } from '../../../server/http/adapters.ts';
import type { getExposure } from '../../../server/reports/exposure/operations.ts';
import { Badge, type Status } from '../../components/badge.tsx';
import { capitalized } from '../../components/measurement.tsx';

type Answers = PanelsOf<{ search: typeof getExposure }>;
export type Search = Extract<Answers['search'], { ok: true }>['data'];

type Judged = Search['uses'][number];
export type Reason = Search['not_checked'][number]['reason'];

const words: Record<Judged['verdict'], { word: string; status: Status }> = {
  proven: { word: 'Affected', status: 'fail' },
  possible: { word: 'Possibly affected', status: 'warning' },
  unknown: { word: 'Not known', status: 'void' },
  no: { word: 'Not affected', status: 'pass' },
};

export const verdictOptions = Object.entries(words).map(([value, { word }]) => ({ value, label: word }));

export const VerdictBadge = ({ verdict }: Pick<Judged, 'verdict'>) => (
  <Badge status={words[verdict].status}>{words[verdict].word}</Badge>
);

/** What stands behind a verdict: its proof, or the first thing that is missing, with the others and all words on demand. */
export function Why({ row }: { row: Pick<Judged, 'verdict' | 'likelihood' | 'reasons' | 'proof'> }) {
  if (row.proof) return row.proof.detail;
  const [first] = row.reasons;
  if (first === undefined) return null;
  const others = row.reasons.length - 1;
  const likelihood = row.likelihood === null || row.likelihood === 'open' ? '' : `${likelihoodWords[row.likelihood]}: `;
  return (
    <details className="source">
      <summary>
        {capitalized(`${likelihood}${shortWords[first]}`)}
        {others > 0 ? `, ${figures(others)} more` : ''}
      </summary>
      {row.reasons.map((reason) => (
        <p key={reason}>{capitalized(reasonWords[reason])}.</p>
      ))}
    </details>
  );
}

const likelihoodWords = { likely: 'likely', unlikely: 'unlikely' };

const shortWords: Record<Reason, string> = {
  between_observations: 'ref not checked then',
  log_expired: 'log expired',
  log_unread: 'log not read',
  commit_not_known: 'commit not known',
  ledger_gap: 'ref not checked',
  downloaded_step_skipped: 'step skipped',
  indirect_unpinned: 'used indirectly',
  log_cut: 'log incomplete',
  named_in_step: 'named in step',
  clock: 'log time differs',
  expression: 'used by expression',
  local_action_not_in_tree: 'local action',
  unreadable_action: 'action not read',
  unreadable_file: 'workflow file uncertain',
  graph_limit: 'too many levels',
  merge_commit_gone: 'merge commit gone',
  job_not_matched: 'job not matched',
  required_workflow: 'required workflow',
  version_not_comparable: 'no full version',
  coverage: 'runs may be missing',
};

export const reasonWords: Record<Reason, string> = {
  between_observations: 'its ref was checked before and after, not at that moment',
  log_expired: 'the log was deleted, or is older than the 90 days for which it is assumed to be stored',
  log_unread: 'the log was not read',
  commit_not_known: 'it is pinned to a commit that is not known to be clean',
  ledger_gap: 'where its ref pointed then was not checked',
  downloaded_step_skipped: 'the step was skipped, but its action was downloaded',
  indirect_unpinned: 'other actions without a pin may have led to it',
  log_cut: 'the log does not name all that was downloaded',
  named_in_step: 'a line of a step names it, which the step may have written itself',
  clock: 'a line of the log names it at a time at which the job did not run',
  expression: 'an expression names what is used',
  local_action_not_in_tree: 'its file uses an action of the repository itself, which is not followed',
  unreadable_action: 'an action could not be read',
  unreadable_file: 'the workflow file was not read, or it is not certain which one ran',
  graph_limit: 'more levels or actions than are followed',
  merge_commit_gone: 'the merge commit is gone',
  job_not_matched: 'the job could not be matched',
  required_workflow: 'a required workflow of another repository',
  version_not_comparable: 'its ref names no full version',
  coverage: 'runs may be missing',
};
