import type { Ledger } from '../facts/shelf.ts';
import type { PullRequest } from '../metrics/delivery-facts.ts';
import type { Instant } from '../metrics/facts.ts';
import type { PullRequestCursor, PullRequestPass } from '../sync/pull-request-pass.ts';
import { accountDictionary } from './accounts.ts';
import type { Database, Queries } from './database.ts';
import { lockRepository } from './facts/fact-shelf.ts';
import { factSql } from './facts/fact-sql.ts';
import { putLedger } from './facts/ledgers.ts';
import { accountsIn, rowsOf } from './facts/rows.ts';
import { fromMs, toMs } from './wire-sql.ts';

const kind = 'pull_requests';

/** How far the pull requests of a repository have been read, and the pages of a reading that is under way. */
export function pullRequestCursor(database: Database) {
  const accounts = accountDictionary(database);
  return {
    async get(repoId: number): Promise<PullRequestCursor | null> {
      return (await database.query<PullRequestCursor>(cursorOf, [repoId]))[0] ?? null;
    },
    put: (repoId: number, cursor: PullRequestCursor): Promise<void> => putCursor(database, repoId, cursor),
    /** Keeps a page together with where to go on after it. Counts the pull requests that it added or changed. */
    async keepPage(repoId: number, items: readonly PullRequest[], resume: PullRequestPass) {
      const keyOf = await accounts.keep(accountsIn(kind, items));
      const rows = rowsOf(kind, items, keyOf);
      return database.transaction(async (transaction) => {
        await transaction.query(lockRepository, [repoId]);
        const changed = await transaction.query<{ reviews: number }>(putFacts, [repoId, rows]);
        await transaction.query(putResume, [repoId, JSON.stringify(resume)]);
        return { upserted: changed.length, reviews: changed.reduce((sum, { reviews }) => sum + reviews, 0) };
      });
    },
    /**
     * Notes that a reading came to its end, so that whoever looks at pull requests finds them kept: all that ended
     * since its floor, as they were at `through`. false, and nothing, when they were read whole by another meanwhile.
     */
    finish: (repoId: number, { beside, floor }: PullRequestPass, through: Instant, now: Instant): Promise<boolean> =>
      database.transaction(async (transaction) => {
        await transaction.query(lockRepository, [repoId]);
        const [ledger] = await transaction.query<Pick<Ledger, 'floor' | 'through' | 'capped'>>(ledgerOf, [repoId]);
        if ((ledger?.floor ?? null) !== beside) return false;
        await putLedger(transaction, repoId, {
          ...{ kind, total: null, openCount: null, newestAt: null, head: null, capped: false },
          floor: ledger && !ledger.capped ? Math.min(ledger.floor, floor) : floor,
          // How far was read never moves back, unless it was noted while the clock was ahead.
          through: ledger && ledger.through <= now ? Math.max(ledger.through, through) : through,
        });
        await putCursor(transaction, repoId, { syncedThrough: through, resume: null });
        return true;
      }),
  };
}

async function putCursor(queries: Queries, repoId: number, { syncedThrough, resume }: PullRequestCursor) {
  await queries.query(upsertCursor, [repoId, syncedThrough, resume && JSON.stringify(resume)]);
}

const cursorOf = `
  select ${toMs('synced_through')} as "syncedThrough", resume from sync_cursors
  where repo_id = $1::int and kind = 'prs'`;

const upsertCursor = `
  insert into sync_cursors (repo_id, kind, synced_through, resume) values ($1::int, 'prs', ${fromMs('$2')}, $3::jsonb)
  on conflict (repo_id, kind) do update set synced_through = excluded.synced_through, resume = excluded.resume`;

const putResume = `
  insert into sync_cursors (repo_id, kind, resume) values ($1::int, 'prs', $2::jsonb)
  on conflict (repo_id, kind) do update set resume = excluded.resume`;

const putFacts = `${factSql[kind].put} returning jsonb_array_length(stored.reviews) as reviews`;

const ledgerOf = `
  select ${toMs('floor')} as floor, ${toMs('through')} as through, capped from fact_ledgers
  where repo_id = $1::int and kind = '${kind}'`;
