import type { PanelsOf } from '../../../server/http/adapters.ts';
import type { getActions, getRefHistory } from '../../../server/reports/exposure/operations.ts';
import { Badge, type Status } from '../../components/badge.tsx';

export type Answers = PanelsOf<{ actions: typeof getActions }>;
export type Inventory = Extract<Answers['actions'], { ok: true }>['data'];
export type HistoryAnswers = PanelsOf<{ history: typeof getRefHistory }>;
export type RefHistory = Extract<HistoryAnswers['history'], { ok: true }>['data'];

type UsedRef = Inventory['actions'][number]['refs'][number];
type MoveClass = NonNullable<UsedRef['last_move']>['class'];

export const pinLabels: Record<NonNullable<UsedRef['pin']>, { word: string; status: Status }> = {
  sha: { word: 'Pinned to SHA', status: 'pass' },
  immutable: { word: 'Immutable release', status: 'pass' },
  digest: { word: 'Image digest', status: 'pass' },
  version_tag: { word: 'Version tag', status: 'void' },
  minor_tag: { word: 'Minor version tag', status: 'void' },
  major_tag: { word: 'Major version tag', status: 'void' },
  tag: { word: 'Tag', status: 'void' },
  branch: { word: 'Branch', status: 'warning' },
  image_tag: { word: 'Image tag', status: 'void' },
};

const moveLabels: Record<NonNullable<MoveClass>, { word: string; status: Status }> = {
  forward: { word: 'Moved forward', status: 'pass' },
  rewritten: { word: 'Force-moved', status: 'warning' },
  gone: { word: 'Deleted', status: 'warning' },
  back: { word: 'Moved back', status: 'void' },
};

interface Moved {
  class: MoveClass;
  alarming: boolean | null;
  alarm: NonNullable<UsedRef['last_move']>['alarm'];
}

/** How a ref moved, and why that is alarming; an alarming move looks like a failure. */
export function MoveBadge({ move }: { move: Moved }) {
  const { word, status } = move.class
    ? moveLabels[move.class]
    : { word: 'Moved, not compared yet', status: 'void' as const };
  const why = move.alarm ? alarmWords[move.alarm] : move.class === null ? null : 'not compared with branches yet';
  if (move.alarm === 'other_repository') return <Badge status="fail">{alarmWords.other_repository}</Badge>;
  return (
    <>
      <Badge status={move.alarming ? 'fail' : status}>{word}</Badge>
      {why ? <span className="sub muted">{why}</span> : null}
    </>
  );
}

const alarmWords = {
  none: null,
  other_repository: 'Now another repository',
  immutable_release: 'tag of an immutable release',
  full_version: 'full version tag',
  rewritten: 'previous commit is not an ancestor',
  returned: 'returned to a suspicious commit',
  on_no_branch: 'the commit is on no branch',
} as const;

/** A commit SHA, as long as it takes to tell one from another. */
export const shortCommit = (commit: string): string => commit.slice(0, 12);
