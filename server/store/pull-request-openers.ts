import { openerReadBit, openerUnreadBit } from '../metrics/ai-authorship/mark-bits.ts';
import type { WithoutOpener } from '../metrics/ai-authorship/opener.ts';
import type { Database } from './database.ts';
import type { StoredMarks } from './pull-request-marks.ts';

/** Through which app pull requests were opened, as far as it is a mark of theirs. */
export const pullRequestOpeners = (database: Database) => ({
  /** Those of which it was not read yet through which app they were opened, the newest first. */
  unread: (repoId: number, limit: number): Promise<(WithoutOpener & Pick<StoredMarks, 'number'>)[]> =>
    database.db
      .selectFrom('pr_marks')
      .where('repoId', '=', repoId)
      .where(({ eb }) => eb(eb('kinds', '&', openerUnreadBit), '>', 0))
      .select(['number', 'class', 'agent', 'kinds', 'readComplete'])
      .orderBy('number', 'desc')
      .limit(limit)
      .execute(),
  /** Of these numbers those of which it was read, and marked by this version of the table. */
  async read(
    repoId: number,
    numbers: readonly number[],
    version: string,
  ): Promise<Map<number, Pick<StoredMarks, 'agent' | 'kinds'>>> {
    if (numbers.length === 0) return new Map();
    const rows = await database.db
      .selectFrom('pr_marks')
      .where('repoId', '=', repoId)
      .where('number', 'in', [...numbers])
      .where('tableVersion', '=', version)
      .where(({ eb }) => eb(eb('kinds', '&', openerReadBit), '>', 0))
      .select(['number', 'agent', 'kinds'])
      .execute();
    return new Map(rows.map(({ number, ...row }) => [number, row]));
  },
  /** Stores what that came to. */
  async put(repoId: number, number: number, marks: Pick<StoredMarks, 'class' | 'agent' | 'kinds'>) {
    await database.db
      .updateTable('pr_marks')
      .set(marks)
      .where('repoId', '=', repoId)
      .where('number', '=', number)
      .execute();
  },
});
