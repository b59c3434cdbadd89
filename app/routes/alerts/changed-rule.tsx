import type { getAudit } from '../../../server/api/admin/audit.ts';
import type { PanelsOf } from '../../../server/http/adapters.ts';
import { dateTimeText } from '../../charts/zone-time.ts';
import { usePageContext } from '../../components/page-context.ts';
import { differences } from '../admin/differences.ts';

export type AuditAnswer = PanelsOf<{ audit: typeof getAudit }>['audit'];
export type RuleChange = Extract<AuditAnswer, { ok: true }>['data']['entries'][number];

const verbs: Record<string, string> = {
  'alert.created': 'added',
  'alert.updated': 'changed',
  'alert.deleted': 'deleted',
};

/** What was done to rules; a test is an alert of its own. */
export const listChanges = (audit: AuditAnswer | null): RuleChange[] =>
  audit?.ok ? audit.data.entries.filter(({ action }) => Object.hasOwn(verbs, action)) : [];

/** Who did what to a rule. */
export function ChangedRule({ change }: { change: RuleChange }) {
  const { action, actor, target, before, after } = change;
  const { zone } = usePageContext();
  const changed = action === 'alert.updated' ? differences(before, after) : [];
  return (
    <>
      {`Rule ${target} ${verbs[action] ?? action} by ${actor.login}`}
      {changed.length === 0 ? null : (
        <span className="sub muted">
          {changed
            .map(({ name, removed, added }) => {
              const [from, to] = [removed, added].map((value) => valueText(name, value, zone));
              return `${words(name)}: ${from} → ${to}`;
            })
            .join(', ')}
        </span>
      )}
    </>
  );
}

/** `windowHours` as `window hours`. */
const words = (name: string) => name.replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);

function valueText(name: string, value: string | null, zone: string): string {
  if (value === null) return '–';
  return name === 'mutedUntil' ? dateTimeText(Number(value), zone) : value;
}
