import { digestEmail } from '../mail/emails/digest.ts';
import { leadershipEmail } from '../mail/emails/leadership-digest.ts';
import type { Email } from '../mail/mailer.ts';
import { nameKey } from '../reports/repositories/visibility.ts';
import type { AlertEvent } from '../store/alert-events.ts';
import type { AlertRule } from '../store/alert-rules.ts';
import type { Store } from '../store/orm.ts';
import { type ChannelServices, type DeliveryResult, messageAbout, ruleHref } from './channels/channel.ts';
import { handOver, storedError } from './deliver.ts';
import { leadershipDigest } from './rules.ts';

/**
 * Sends a test of a rule through its own channel, at once and with the value 1. It is an event that starts no cooldown
 * and is in no digest.
 */
export async function tryRule(rule: AlertRule, services: ChannelServices): Promise<DeliveryResult> {
  const { alertEvents } = services.store;
  const event = await alertEvents.test(rule, await findRepositoryId(rule, services.store), services.clock.now());
  const handed = await send(rule, event, services);
  if (rule.channel !== 'browser')
    await alertEvents.tested(event.id, handed.ok ? 'sent' : 'failed', storedError(handed));
  return handed;
}

/** The repository that a rule is about; null for a rule of an organization, and where it is not tracked. */
async function findRepositoryId({ scopeKind, scopeKey }: AlertRule, { repositories }: Store): Promise<number | null> {
  if (scopeKind === 'org') return null;
  const tracked = await repositories.tracked(scopeKey.split('/')[0]);
  return tracked.find((one) => nameKey(one) === scopeKey)?.id ?? null;
}

async function send(rule: AlertRule, event: AlertEvent, services: ChannelServices): Promise<DeliveryResult> {
  const content = await renderSampleEmail(rule, event, services);
  if (!content) return handOver(event, services);
  return services.mailer.send({ ...content, to: rule.destination ?? '', idempotencyKey: `event:${event.id}` });
}

/** The email of a rule that sends no email for each event; null for the others. */
async function renderSampleEmail(
  rule: AlertRule,
  event: AlertEvent,
  services: ChannelServices,
): Promise<Pick<Email, 'subject' | 'text' | 'html'> | null> {
  const { APP_URL: appUrl } = services.env;
  if (rule.metric === leadershipDigest)
    return leadershipEmail(
      {
        org: rule.scope.slice('org:'.length),
        week: 'a sample',
        isDelayed: false,
        isTest: true,
        needAttention: 1,
        aiSummary: null,
        summary: 'This is a sample of the weekly email.',
        highlights: [],
        concerns: [],
        scored: 1,
        repositories: 1,
        ruleHref: ruleHref(rule.id),
      },
      appUrl,
    );
  if (rule.channel !== 'digest') return null;
  const { repo, label, value, unit, firedAt, zone } = await messageAbout(event, services);
  const items = [{ repo, label, value, unit, firedAt, isEarlier: false }];
  return digestEmail({ items, zone, alertsHref: '/alerts', isTest: true }, appUrl);
}
