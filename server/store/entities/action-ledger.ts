import { defineEntity, p } from '@mikro-orm/core';
import type { MoveClass, RefState } from '../../metrics/security/ref-ledger.ts';
import { Repository } from './repository.ts';
import { day, instant } from './types.ts';

/** A ref of a repository of actions or reusable workflows that workflow files name. */
export const ActionRef = defineEntity({
  name: 'ActionRef',
  tableName: 'action_refs',
  properties: {
    id: p.integer().primary().autoincrement(),
    /** `owner/repo` in lower case, as it is written in files. */
    actionKey: p.text(),
    kind: p.text().$type<'action' | 'reusable_workflow'>(),
    ref: p.text(),
    /** The platform's id of the repository that had the name when it was last read; null until it is. */
    codehostId: p.bigint('number').strictNullable(),
    /** null until it is read, and for commit SHAs. */
    isBranch: p.boolean().strictNullable(),
  },
  uniques: [{ properties: ['actionKey', 'kind', 'ref'] }],
});

/** Where a ref led from one observation to another; one row for each change. */
export const RefLedgerRow = defineEntity({
  name: 'RefLedgerRow',
  tableName: 'ref_ledger',
  properties: {
    refId: () => p.manyToOne(ActionRef).mapToPk().joinColumn('ref_id').deleteRule('cascade').primary(),
    observedFrom: instant().primary(),
    observedTo: instant(),
    state: p.text().$type<RefState>(),
    commit: p.text().strictNullable(),
    tagObject: p.text().strictNullable(),
    /** The commit before, where the row is a move. */
    previousCommit: p.text().strictNullable(),
    moveClass: p.text().$type<MoveClass>().strictNullable(),
  },
});

/** What the workflow files of a repository's default branch used on a day. */
export const UseDay = defineEntity({
  name: 'UseDay',
  tableName: 'use_days',
  properties: {
    repoId: () => p.manyToOne(Repository).mapToPk().joinColumn('repo_id').deleteRule('cascade').primary(),
    day: day().primary(),
    refId: () => p.manyToOne(ActionRef).mapToPk().joinColumn('ref_id').deleteRule('cascade').primary(),
    /** Files that use it. */
    workflows: p.integer(),
  },
  indexes: [{ name: 'use_days_by_ref', properties: ['refId'] }],
});

/** The workflow files of a repository when they were last looked at: while they stay, what they use does. */
export const WorkflowTree = defineEntity({
  name: 'WorkflowTree',
  tableName: 'workflow_trees',
  properties: {
    repoId: () => p.manyToOne(Repository).mapToPk().joinColumn('repo_id').deleteRule('cascade').primary(),
    /** null where there is no directory. */
    treeId: p.text().strictNullable(),
    /** By which rules the files were read. */
    ruleVersion: p.integer(),
    /** The newest of `use_days`. */
    day: day(),
    /** Files of which it is not known what they use. */
    unreadFiles: p.integer(),
  },
});
