import type { getAudit } from '../../../server/api/admin/audit.ts';
import type { PanelsOf } from '../../../server/http/adapters.ts';
import { dateTimeText } from '../../charts/zone-time.ts';
import { usePageContext } from '../../components/page-context.ts';
import { type Difference, differences } from '../admin/differences.ts';
import { amount, type Rule, ruleAnchor, ruleTitle, windowText } from './labels.ts';

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

/** Who did what to a rule; `rule` as it is now, null where it is deleted. */
export function ChangedRule({ change, rule }: { change: RuleChange; rule: Rule | null }) {
  const { action, actor, target, before, after } = change;
  const { zone } = usePageContext();
  const changed = action === 'alert.updated' ? differences(before, after) : [];
  const details = changed.map((difference) => changeText(difference, rule, zone)).join(', ');
  return (
    <>
      {rule === null ? `Rule ${target}` : <a href={`#${ruleAnchor(rule.id)}`}>{ruleTitle(rule)}</a>}
      <span className="sub muted">
        {`Rule ${verbs[action] ?? action} by ${actor.login}`}
        {details === '' ? null : `: ${details}`}
      </span>
    </>
  );
}

const labels: Record<string, string> = {
  threshold: 'threshold',
  windowHours: 'window',
  minSample: 'minimum sample',
  destination: 'recipient',
  ownerNote: 'note',
  runbookUrl: 'runbook',
};

/** `threshold from 20 % to 10 %`, `muted until 2 Dec 2026, 21:10`. */
function changeText({ name, removed, added }: Difference, rule: Rule | null, zone: string): string {
  if (name === 'enabled') return added === 'true' ? 'enabled' : 'disabled';
  if (name === 'mutedUntil') return added === null ? 'unmuted' : `muted until ${dateTimeText(Number(added), zone)}`;
  const label = labels[name] ?? name;
  if (added === null) return `${label} removed`;
  const [from, to] = [removed, added].map((value) => (value === null ? null : valueText(name, value, rule)));
  return from === null ? `${label} set to ${to}` : `${label} from ${from} to ${to}`;
}

function valueText(name: string, value: string, rule: Rule | null): string {
  if (name === 'threshold' && rule !== null) return amount(Number(value), rule.unit);
  if (name === 'windowHours') return windowText(Number(value));
  return name === 'ownerNote' ? `“${value}”` : value;
}
