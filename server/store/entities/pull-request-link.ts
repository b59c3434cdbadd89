import { defineEntity, p } from '@mikro-orm/core';
import type { PullRequestLink as Link } from '../../metrics/ai-authorship/links.ts';
import { Repository } from './repository.ts';

/** That a merged pull request reverts or puts right another one, which it names by number or merge commit. No text of it. */
export const PullRequestLink = defineEntity({
  name: 'PullRequestLink',
  tableName: 'pr_links',
  properties: {
    repoId: () => p.manyToOne(Repository).mapToPk().joinColumn('repo_id').deleteRule('cascade').primary(),
    number: p.integer().primary(),
    kind: p.text().$type<Link['kind']>().primary(),
    /** `#12`, or the first ten digits of a commit. */
    target: p.text().primary(),
  },
});
