import type { Instant } from '../kernel/facts.ts';
import { type AgentRow, isValidAt } from './agents.ts';
import type { AuthorshipClass } from './classes.ts';
import { isAppOfAuthor } from './classify.ts';
import {
  hasKind,
  isBeforeRow,
  isBranchOnly,
  isOpenedByMachine,
  kindsIn,
  openerReadBit,
  openerUnreadBit,
  toBits,
} from './mark-bits.ts';

/** A pull request of which it was not known through which app it was opened. */
export interface WithoutOpener {
  class: AuthorshipClass;
  agent: string | null;
  /** As `mark-bits.ts` writes them. */
  kinds: number;
  /** Whether all else of it was read. */
  readComplete: boolean;
}

/**
 * What it is once that is known (mark M2); null for one that the platform does not know any more. What was marked by other
 * signs stays marked.
 */
export function withOpener(
  { readComplete, ...stored }: WithoutOpener,
  opening: { createdAt: Instant; app: string | null } | null,
  agents: readonly AgentRow[],
): Pick<WithoutOpener, 'class' | 'agent' | 'kinds'> {
  const kinds = kindsIn(stored.kinds);
  const isOfMachine = isOpenedByMachine(stored.kinds);
  const rest = { kinds, isBranchOnly: isBranchOnly(stored.kinds), isOpenerRead: true, isOfMachine };
  if (opening === null) return { ...stored, kinds: toBits({ ...rest, isBeforeRow: isBeforeRow(stored.kinds) }) };
  const { app, createdAt } = opening;
  const rows = app === null ? [] : agents.filter((row) => isAppOfAuthor(row, app));
  const row = rows.find((one) => isValidAt(one, createdAt));
  if (row)
    return {
      class: 'agent_authored',
      agent: row.agent,
      kinds: toBits({ kinds: ['author_app', ...kinds], isOpenerRead: true, isOfMachine }),
    };
  const isBefore = isBeforeRow(stored.kinds) || (kinds.length === 0 && rows.length > 0);
  return {
    ...stored,
    class: stored.class === 'unread' && readComplete ? 'unmarked' : stored.class,
    kinds: toBits({ ...rest, isBeforeRow: isBefore }),
  };
}

/** What a pull request is that was read again, with what was found before: through which app it was opened never changes. */
export function withOpenerBefore<Read extends WithoutOpener>(
  read: Read,
  before: Pick<WithoutOpener, 'agent' | 'kinds'> | undefined,
): Read {
  if (!before || read.class === 'automation') return read;
  const kinds = (read.kinds & ~openerUnreadBit) | openerReadBit;
  if (!hasKind(before.kinds, 'author_app')) {
    const isUnmarked = read.class === 'unread' && read.readComplete;
    return { ...read, class: isUnmarked ? 'unmarked' : read.class, kinds };
  }
  const agent = read.class === 'agent_authored' ? read.agent : before.agent;
  return { ...read, class: 'agent_authored', agent, kinds: kinds | toBits({ kinds: ['author_app'] }) };
}
