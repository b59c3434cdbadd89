import type { FactKind } from '../../facts/fact-repository.ts';
import { readStatements, type Statement } from '../../platform/source-files.ts';

const statements = readStatements('facts', [
  'upsert_pull_requests',
  'upsert_commits',
  'upsert_issues',
  'upsert_deployments',
  'upsert_releases',
  'delete_other_pull_requests',
  'delete_other_commits',
  'delete_other_issues',
  'delete_other_deployments',
  'delete_other_releases',
  'delete_pull_requests_before',
  'delete_commits_before',
  'delete_issues_before',
  'delete_deployments_before',
  'delete_releases_before',
]);

/** The statements that store one kind of facts; all of them take `repo_id`. */
export interface FactStatements {
  /** Adds or renews the JSON `facts`, unless what is stored is newer. */
  upsert: Statement;
  /** Deletes all but the `keys` of those that count at `floor` or later, or always. */
  deleteOthers: Statement;
  /** Deletes those that count before `floor`, at most `batch` where that is not null. Returns `rows`. */
  deleteBefore: Statement;
}

export const factStatements: { readonly [Kind in FactKind]: FactStatements } = {
  pull_requests: {
    upsert: statements.upsert_pull_requests,
    deleteOthers: statements.delete_other_pull_requests,
    deleteBefore: statements.delete_pull_requests_before,
  },
  commits: {
    upsert: statements.upsert_commits,
    deleteOthers: statements.delete_other_commits,
    deleteBefore: statements.delete_commits_before,
  },
  issues: {
    upsert: statements.upsert_issues,
    deleteOthers: statements.delete_other_issues,
    deleteBefore: statements.delete_issues_before,
  },
  deployments: {
    upsert: statements.upsert_deployments,
    deleteOthers: statements.delete_other_deployments,
    deleteBefore: statements.delete_deployments_before,
  },
  releases: {
    upsert: statements.upsert_releases,
    deleteOthers: statements.delete_other_releases,
    deleteBefore: statements.delete_releases_before,
  },
};
