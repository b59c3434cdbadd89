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
  sha: { word: 'Pinned to a commit SHA', status: 'pass' },
  version_tag: { word: 'Version tag', status: 'void' },
  minor_tag: { word: 'Minor version tag', status: 'void' },
  major_tag: { word: 'Major version tag', status: 'void' },
  tag: { word: 'Tag', status: 'void' },
  branch: { word: 'Branch', status: 'warning' },
};

const moveLabels: Record<NonNullable<MoveClass>, { word: string; status: Status }> = {
  forward: { word: 'Moved forward', status: 'pass' },
  rewritten: { word: 'Force-moved', status: 'warning' },
  gone: { word: 'Deleted', status: 'warning' },
  back: { word: 'Moved back', status: 'void' },
};

/** How a ref moved, in a word; an alarming move looks like a failure. */
export function MoveBadge({ move }: { move: { class: MoveClass; alarming: boolean | null } }) {
  const { word, status } = move.class
    ? moveLabels[move.class]
    : { word: 'Moved, not compared yet', status: 'void' as const };
  return <Badge status={move.alarming ? 'fail' : status}>{word}</Badge>;
}

/** A commit SHA, as long as it takes to tell one from another. */
export const shortCommit = (commit: string): string => commit.slice(0, 12);
