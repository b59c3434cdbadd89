import { withoutAddresses } from '../platform/mail-address.ts';
import type { AlertRule, AlertRuleValues } from './alert-rules.ts';

/** What the audit log stores of a rule: neither an address of a person nor a key. */
export function auditedRule(rule: AlertRule): AuditedRule {
  const { id, scopeKind, scopeKey, deliveryFailingSince, createdBy, createdAt, updatedBy, updatedAt, ...values } = rule;
  return {
    ...values,
    ownerNote: rule.ownerNote === null ? null : withoutDestinations(rule.ownerNote),
    destination: rule.destination === null ? null : maskedDestination(rule.destination),
  };
}

type AuditedRule = AlertRuleValues & Pick<AlertRule, 'enabled' | 'mutedUntil'>;

/** A recipient: `a•••@example.com`; of a webhook, whose path is a key, its host. */
function maskedDestination(destination: string): string {
  return URL.canParse(destination) ? `${new URL(destination).origin}/•••` : withoutAddresses(destination);
}

/** A text without what a recipient would be known by: email addresses, and of webhooks all but the host. */
const withoutDestinations = (text: string): string =>
  withoutAddresses(text.replace(/https?:\/\/\S+/gi, maskedDestination));
