import { defineEntity, p } from '@mikro-orm/core';
import type { MoveAlarm, MoveClass, RefState } from '../../metrics/security/ref-ledger.ts';
import type { FileUses, UsedRef } from '../../scan/action-uses.ts';
import type { UnknownUse } from '../../scan/used-in-turn.ts';
import { Repository } from './repository.ts';
import { bigIntegers, day, instant, integers } from './types.ts';

/** A ref of a repository of actions or reusable workflows that workflow files name, or a tag of a container image. */
export const ActionRef = defineEntity({
  name: 'ActionRef',
  tableName: 'action_refs',
  properties: {
    id: p.integer().primary().autoincrement(),
    /** `owner/repo` in lower case, as it is written in files; the name of an image behind `docker://`. */
    actionKey: p.text(),
    ref: p.text(),
    /** The platform's id of the repository that had the name when it was last read; null until it is. Of a pin once. */
    codehostId: p.bigint('number').strictNullable(),
    /** Whether not everybody may see that repository; null until it is read. */
    isPrivate: p.boolean().strictNullable(),
    /** null until it is read, and for commit SHAs. */
    isBranch: p.boolean().strictNullable(),
    /** When a webhook told last that it is to be looked at; null where none did. */
    noticedAt: instant().strictNullable(),
  },
  uniques: [{ properties: ['actionKey', 'ref'] }],
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
    /** The platform's id of the repository that had the name then; null where it was not read. */
    codehostId: p.bigint('number').strictNullable(),
    /** The name of that repository in lower case. */
    repository: p.text().strictNullable(),
    /** The commit before, where the row is a move. */
    previousCommit: p.text().strictNullable(),
    moveClass: p.text().$type<MoveClass>().strictNullable(),
    alarm: p.text().$type<MoveAlarm>().strictNullable(),
    /** When it became known whether the move is alarming. */
    judgedAt: instant().strictNullable(),
  },
});

/** The release of a tag when it led to a commit. */
export const ActionRelease = defineEntity({
  name: 'ActionRelease',
  tableName: 'action_releases',
  properties: {
    actionKey: p.text().primary(),
    tag: p.text().primary(),
    commit: p.text().primary(),
    /** null where the platform does not say. */
    immutable: p.boolean().strictNullable(),
    publishedAt: instant().strictNullable(),
    seenAt: instant(),
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
    /** Of the action or workflow file below its repository; empty at the root. */
    path: p.text().primary(),
    /** Of what is used in turn, the use in a workflow file that leads to it, `owner/repo/path@ref`; else empty. */
    through: p.text().primary(),
    kind: p.text().$type<UsedRef['kind']>(),
    /** Files that use it. */
    workflows: p.integer(),
    /** Of what is used in turn, the platform's ids of the private repositories whose files say so. */
    privateSources: bigIntegers(),
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
    /** What is used directly or in turn of which it is not known what it is. */
    unknownUses: p.json<UnknownUse[]>(),
  },
});

/** What an action or a called workflow uses in turn: a file at a commit stays as it is for good. */
export const ActionFile = defineEntity({
  name: 'ActionFile',
  tableName: 'action_files',
  properties: {
    /** Or the id of a tag itself, where a file pins that. */
    commit: p.text().primary(),
    /** Of the action, or of the workflow file, below the repository. */
    path: p.text().primary(),
    ruleVersion: p.integer(),
    /** The commit that has it: another than `commit` where that is the id of a tag. */
    leadsTo: p.text(),
    /** null where it cannot be parsed. */
    uses: p.json<FileUses>().strictNullable(),
    /** The platform's id of its repository, where that was private when it was read. */
    privateSource: p.bigint('number').strictNullable(),
  },
});

/** When all published advisories about actions were read. */
export const AdvisoryReading = defineEntity({
  name: 'AdvisoryReading',
  tableName: 'advisory_readings',
  properties: {
    at: instant().primary(),
    /** The refs in use of which it was found out which advisories affect them. */
    refIds: integers(),
  },
});

/** From which reading to which one a published advisory affected what a ref led to. */
export const AdvisedRef = defineEntity({
  name: 'AdvisedRef',
  tableName: 'advised_refs',
  properties: {
    refId: () => p.manyToOne(ActionRef).mapToPk().joinColumn('ref_id').deleteRule('cascade').primary(),
    /** Such as `GHSA-mrrh-fwg8-r2c3`. */
    advisoryId: p.text().primary(),
    observedFrom: instant().primary(),
    observedTo: instant(),
  },
});
