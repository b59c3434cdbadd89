import { defineEntity, p } from '@mikro-orm/core';
import { instant } from './types.ts';

/** What is shared: the number of a badge, or a snapshot of a page behind a link. */
export type ShareKind = 'badge' | 'link';

/** Whose number a badge shows. The repository is known by its id on the platform, whatever it is called by now. */
export interface BadgeSubject {
  repository_id: number;
  owner: string;
  repo: string;
  workflow_id: number | null;
  /** null is the default branch. */
  branch: string | null;
}

/** Something that is readable without signing in, by whoever knows its token. The token is stored nowhere but as a hash. */
export const Share = defineEntity({
  name: 'Share',
  tableName: 'shares',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    tokenHash: p.blob().unique('shares_by_hash'),
    kind: p.text().$type<ShareKind>(),
    accountId: p.bigint('number'),
    /** As the account was called then, for lists; it is known by its number. */
    login: p.text(),
    /** Of a badge its kind, of a link the address of its page. */
    page: p.text(),
    params: p.json<BadgeSubject>().strictNullable(),
    snapshot: p.json<unknown>().strictNullable(),
    /** Of the snapshot, so that lists need not read it; null for a badge, and for what was made before there were any. */
    format: p.integer().strictNullable(),
    /** Of the pass phrase of a link. */
    passHash: p.text().strictNullable(),
    createdAt: instant(),
    expiresAt: instant().strictNullable(),
    revokedAt: instant().strictNullable(),
    /** How often a link was opened, by day in UTC. */
    opensByDay: p.json<Record<string, number>>(),
  },
  indexes: [{ name: 'shares_of_account', properties: ['accountId'], where: 'revoked_at is null' }],
});
