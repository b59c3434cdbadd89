import type { Dismissal } from '../advisor/dismissal.ts';
import type { Instant, Repository } from '../metrics/kernel/facts.ts';
import { appendAudit, type ChangedBy } from './audit.ts';
import type { Database, Queries } from './database.ts';
import { lock } from './locks.ts';

/** What is dismissed: a recommendation of a repository, by its id. */
export interface DismissedRecommendation {
  id: string;
  /** For the audit log; null where the workflow files have it no longer. */
  title: string | null;
}

type Terms = Pick<Dismissal, 'reason' | 'note' | 'until'>;

/** Recommendations that people dismissed, one dismissal for each, shared by everybody who sees the repository. */
export const advisorDismissals = (database: Database, known: (repository: Repository) => Promise<number>) => ({
  /** By the id of the recommendation, those that have ended included. The repository is known by the platform's id. */
  async list(repositoryId: number): Promise<Map<string, Dismissal>> {
    const rows = await database.db
      .selectFrom('advisor_dismissals')
      .innerJoin('repos', 'repos.id', 'advisor_dismissals.repoId')
      .where('repos.codehostRepoId', '=', repositoryId)
      .select([
        'advisor_dismissals.id',
        'advisor_dismissals.reason',
        'advisor_dismissals.note',
        'advisor_dismissals.until',
        'advisor_dismissals.byLogin',
        'advisor_dismissals.at',
      ])
      .execute();
    return new Map(rows.map(({ id, ...dismissal }) => [id, dismissal]));
  },
  /** Stores a dismissal in the place of an earlier one; the same terms again change nothing. Answers what is stored. */
  async dismiss(
    repository: Repository,
    recommendation: DismissedRecommendation,
    terms: Terms,
    by: ChangedBy & { actor: { id: number } },
  ): Promise<Dismissal> {
    const repoId = await known(repository);
    return database.transaction(async (queries) => {
      await lock(queries, 'advisorDismissals');
      const before = await find(queries, repoId, recommendation.id);
      if (before && isSame(before, terms)) return before;
      const dismissal = { ...terms, byLogin: by.actor.login, at: by.now };
      const values = { ...dismissal, byId: by.actor.id };
      await queries.db
        .insertInto('advisor_dismissals')
        .values({ repoId, id: recommendation.id, ...values })
        .onConflict((conflict) => conflict.columns(['repoId', 'id']).doUpdateSet(values))
        .execute();
      await forgetTotal(queries, repoId, by.now);
      await audit(queries, 'dismissed', { repository, recommendation, before, after: dismissal }, by);
      return dismissal;
    });
  },
  /** Answers whether there was one. */
  async restore(repository: Repository, recommendation: DismissedRecommendation, by: ChangedBy): Promise<boolean> {
    const repoId = await known(repository);
    return database.transaction(async (queries) => {
      await lock(queries, 'advisorDismissals');
      const before = await find(queries, repoId, recommendation.id);
      if (!before) return false;
      await queries.db
        .deleteFrom('advisor_dismissals')
        .where('repoId', '=', repoId)
        .where('id', '=', recommendation.id)
        .execute();
      await forgetTotal(queries, repoId, by.now);
      await audit(queries, 'restored', { repository, recommendation, before, after: null }, by);
      return true;
    });
  },
});

/** What the others come to is judged again; what was begun to be judged before is not stored any more. */
const forgetTotal = ({ db }: Queries, repoId: number, asOf: Instant) =>
  db
    .insertInto('advisor_totals')
    .values({ repoId, asOf, plan: null })
    .onConflict((conflict) => conflict.column('repoId').doUpdateSet({ asOf, plan: null }))
    .execute();

const find = async ({ db }: Queries, repoId: number, id: string): Promise<Dismissal | null> =>
  (await db
    .selectFrom('advisor_dismissals')
    .select(['reason', 'note', 'until', 'byLogin', 'at'])
    .where('repoId', '=', repoId)
    .where('id', '=', id)
    .executeTakeFirst()) ?? null;

const isSame = (one: Terms, other: Terms): boolean =>
  one.reason === other.reason && one.note === other.note && one.until === other.until;

interface Changed {
  repository: Repository;
  recommendation: DismissedRecommendation;
  before: Dismissal | null;
  after: Dismissal | null;
}

/** Without the note of the dismissal: the audit log is permanent. */
function audit(
  queries: Queries,
  what: 'dismissed' | 'restored',
  { repository: { owner, repo }, recommendation: { id, title }, before, after }: Changed,
  { actor, requestId, now }: ChangedBy,
): Promise<void> {
  const entry = {
    category: 'advisor' as const,
    action: `advisor.${what}`,
    actor,
    targetType: 'recommendation',
    target: `${owner}/${repo} ${id}`,
    before: before && toRecord(before),
    after: after && toRecord(after),
    requestId,
    note: title,
  };
  return appendAudit(queries, entry, now);
}

const toRecord = ({ reason, until }: Dismissal) => ({ reason, until });
