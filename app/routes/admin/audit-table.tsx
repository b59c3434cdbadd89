import type { getAudit } from '../../../server/api/admin/audit.ts';
import type { PanelsOf } from '../../../server/http/adapters.ts';
import { dateTimeText } from '../../charts/zone-time.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Moment } from '../../components/moment.tsx';
import { differences } from './differences.ts';

type Answer = Extract<PanelsOf<{ result: typeof getAudit }>['result'], { ok: true }>['data'];
type Entry = Answer['entries'][number];

/** Entries of the audit log, newest first. */
export function AuditTable({ rows, csvHref, empty }: { rows: readonly Entry[]; csvHref: string; empty: string }) {
  return (
    <DataTable
      caption="Entries, newest first"
      captionHidden
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      csvHref={csvHref}
      empty={{ cause: empty }}
    />
  );
}

const columns: Column<Entry>[] = [
  {
    key: 'action',
    label: 'Action',
    heading: true,
    cell: ({ id, action, note }) => (
      <>
        {actionLabels[action] ?? action}
        <span className="sub muted">{[`#${id}`, action, note && inWords(note)].filter(Boolean).join(' · ')}</span>
      </>
    ),
  },
  { key: 'target', label: 'Target', cell: ({ target }) => target },
  {
    key: 'change',
    label: 'Before and after',
    cell: ({ before, after }) => <Difference before={before} after={after} />,
  },
  { key: 'actor', label: 'By', cell: ({ actor }) => (actor.codehost_id === null ? 'system' : actor.login) },
  { key: 'at', label: 'When (UTC)', cell: ({ at }) => <Moment at={at} zone="UTC" as="date-time" /> },
];

function Difference({ before, after }: Pick<Entry, 'before' | 'after'>) {
  const lines = differences(before, after);
  if (lines.length === 0) return <span className="muted">no details</span>;
  return (
    <ul>
      {lines.map(({ name, removed, added }) => (
        <li key={name}>
          {name ? `${spaceWords(name)}: ` : ''}
          {removed === null ? null : <del>{formatPart(name, removed)}</del>}
          {removed !== null && added !== null ? ' → ' : ''}
          {added === null ? null : <ins>{formatPart(name, added)}</ins>}
        </li>
      ))}
    </ul>
  );
}

/** `windowHours` as `window hours`. */
const spaceWords = (name: string) => name.replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);

/** Times are stored as milliseconds. */
const formatPart = (name: string, value: string) =>
  name.endsWith('Until') ? dateTimeText(Number(value), 'UTC') : value;

const actionLabels: Record<string, string> = {
  'user.groups_replaced': 'Groups replaced',
  'user.bootstrap_admin': 'First administrator',
  'user.default_group': 'Default group assigned',
  'user.invited': 'Invited',
  'user.invitation_accepted': 'Invitation accepted',
  'user.invitation_withdrawn': 'Invitation withdrawn',
  'permission.granted': 'Feature granted',
  'permission.revoked': 'Feature revoked',
  'session.revoked': 'Session ended',
  'token.created': 'Access token created',
  'token.revoked': 'Access token revoked',
  'token.all_revoked': 'All access tokens revoked',
  'share.created': 'Share link created',
  'share.revoked': 'Share link revoked',
  'share.expired': 'Share link expired',
  'badge.created': 'Badge created',
  'badge.revoked': 'Badge revoked',
  'identity.linked': 'Account linked',
  'identity.relinked': 'Account linked to another',
  'identity.moved': 'Linked account moved',
  'identity.unlinked': 'Account unlinked',
  'identity.marked_distinct': 'Marked as different people',
  'identity.unmarked_distinct': 'Different-people mark removed',
  'settings.team_saved': 'Team workday saved',
  'settings.working_habits_saved': 'Thresholds saved',
  'settings.ai_saved': 'AI settings saved',
  'settings.email_saved': 'Email settings saved',
  'settings.sharing_saved': 'Sharing saved',
  'settings.otlp_saved': 'Destination of traces saved',
  'settings.otlp_deleted': 'Destination of traces deleted',
  'otlp.resent': 'Rejected traces sent again',
  'otlp.backfill_started': 'Backfill of traces started',
  'otlp.backfill_cancelled': 'Backfill of traces cancelled',
  'settings.webhook_saved': 'Webhook endpoint saved',
  'settings.webhook_deleted': 'Webhook endpoint deleted',
  'settings.webhook_rotated': 'Webhook secret rotated',
  'alert.created': 'Alert rule added',
  'alert.updated': 'Alert rule changed',
  'alert.deleted': 'Alert rule deleted',
  'alert.tested': 'Alert rule tested',
  'issue.filed': 'Issue filed',
};

/** A note is a code or a phrase, in which names stay as they are. */
const inWords = (note: string) => (note.includes(' ') ? note : note.replaceAll('_', ' '));
