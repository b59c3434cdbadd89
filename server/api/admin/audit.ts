import { z } from 'zod';
import { organizationAdministrator } from '../../access/rules.ts';
import { instant } from '../../reports/kernel/instants.ts';
import type { StoredAuditEntry } from '../../store/audit.ts';
import { type AuditCategory, auditCategories } from '../../store/entities/audit-entry.ts';
import { operation } from '../operation.ts';
import { clamped, identifier, searched } from '../parameters.ts';

const AuditEntry = z
  .object({
    id: z.int(),
    at: instant,
    category: z.enum(auditCategories),
    action: z.string(),
    actor: z.object({
      codehost_id: z.string().nullable().meta({ description: 'null for the service itself.' }),
      login: z.string().meta({ description: 'As of then; `system` for the service itself.' }),
    }),
    target_type: z.string(),
    target: z.string(),
    before: z.unknown().meta({ description: 'null: there was nothing.' }),
    after: z.unknown().meta({ description: 'null: nothing is left.' }),
    request_id: z.string().nullable(),
    note: z.string().nullable(),
    hash: z.string().meta({ description: 'SHA-256 over the entry and the hash of the one before, in hexadecimal.' }),
  })
  .meta({ id: 'AuditEntry' });

/** The categories of a filter; null is everything. */
function toCategories(filter: AuditCategory | 'all'): AuditCategory[] | null {
  if (filter === 'all') return null;
  return filter === 'access' ? ['access', 'identity'] : [filter];
}

export const getAudit = operation({
  method: 'GET',
  path: '/api/admin/audit',
  summary: 'What was changed, by whom and how; newest first',
  access: organizationAdministrator,
  input: z.object({
    limit: clamped(1, 200, 50),
    before: identifier.optional().meta({ description: 'Entries with a smaller id only.' }),
    actor: searched.optional().meta({ description: 'Login of who did it; `system` for the service itself.' }),
    action: searched.optional(),
    category: z
      .enum(['all', ...auditCategories])
      .default('access')
      .meta({ description: '`access` has changes of identities with it.' }),
  }),
  output: z.object({
    entries: z.array(AuditEntry),
    next_before: z.int().nullable().meta({ description: 'What to go on with; null at the end.' }),
  }),
  rows: ({ entries }) =>
    entries.map(({ before, after, ...entry }) => ({ ...entry, before: toText(before), after: toText(after) })),
  nextPage: ({ next_before: before }) => (before === null ? null : { before }),
  async run({ limit, before, actor, action, category }, { store }) {
    const categories = toCategories(category);
    const wanted = { before: before ?? null, categories, actor: actor ?? null, action: action ?? null };
    const found = await store.audit.list({ ...wanted, limit: limit + 1 });
    const entries = found.slice(0, limit);
    const hasMore = found.length > limit;
    return { entries: entries.map(toEntry), nextBefore: hasMore ? (entries.at(-1)?.id ?? null) : null };
  },
});

const toText = (value: unknown) => (value === null || value === undefined ? null : JSON.stringify(value));

const toEntry = ({ actor, ...entry }: StoredAuditEntry) => ({
  ...entry,
  actor: { codehostId: actor.id === null ? null : String(actor.id), login: actor.login },
});
