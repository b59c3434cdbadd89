import { defineEntity, p } from '@mikro-orm/core';
import type { AuthorshipClass } from '../../metrics/ai-authorship/classes.ts';
import { Repository } from './repository.ts';

/** What a pull request was reduced to by the marks of AI agents: nothing of a person, no text. */
export const PullRequestMark = defineEntity({
  name: 'PullRequestMark',
  tableName: 'pr_marks',
  properties: {
    repoId: () => p.manyToOne(Repository).mapToPk().joinColumn('repo_id').deleteRule('cascade').primary(),
    number: p.integer().primary(),
    class: p.text().$type<AuthorshipClass>(),
    agent: p.text().strictNullable(),
    kinds: p.smallint(),
    type: p.smallint(),
    readComplete: p.boolean(),
    tableVersion: p.text(),
    createdMonth: p.text(),
    /** By which reverts name it; null where it was not merged. */
    mergeSha: p.text().strictNullable(),
  },
  indexes: [{ name: 'pr_marks_by_month', properties: ['repoId', 'createdMonth'] }],
});
