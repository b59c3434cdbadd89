import type { Context } from '../access/context.ts';
import type { Env } from '../platform/env.ts';
import { isLoopback } from '../platform/env-fields.ts';
import { mailAddress } from '../platform/mail-address.ts';
import { type FieldProblem, invalidRequest } from '../platform/problem.ts';
import type { AlertRuleValues } from '../store/alert-rules.ts';
import type { StoredEndpoint } from '../store/webhook-endpoints.ts';
import { leadershipDigest } from './rules.ts';

type Target = Pick<AlertRuleValues, 'channel' | 'destination'>;
type Endpoint = Pick<StoredEndpoint, 'id' | 'name' | 'enabled'>;

/** @throws Problem `invalid_request` where a rule cannot send there. */
export async function assertDestination(
  rule: Target & Pick<AlertRuleValues, 'metric'>,
  { store, services: { env } }: Context,
): Promise<void> {
  const endpoints = rule.channel === 'webhook' ? await store.webhookEndpoints.list() : [];
  const problem = destinationProblem(rule, env.SLACK_WEBHOOK_HOSTS, endpoints);
  if (problem) throw invalidRequest([problem]);
}

/** What is wrong with where a rule would send to; null when nothing is. */
function destinationProblem(
  { metric, channel, destination }: Target & Pick<AlertRuleValues, 'metric'>,
  slackHosts: readonly string[],
  endpoints: readonly Endpoint[],
): FieldProblem | null {
  const problem = (reason: FieldProblem['reason'], message: string) => ({ field: 'destination', reason, message });
  if (channel === 'browser' && metric !== leadershipDigest)
    return destination === null ? null : problem('invalid', 'destination cannot be set for the browser channel.');
  if (destination === null) return problem('missing', 'destination is missing.');
  if (isMasked.test(destination)) return problem('invalid', 'destination is masked; give it in full.');
  if (channel === 'slack')
    return isSlackAddress(destination, slackHosts) ? null : problem('invalid', slackMessage(slackHosts));
  if (channel === 'webhook')
    return findEndpoint(endpoints, destination)
      ? null
      : problem('invalid', 'destination must be the number of a webhook endpoint.');
  if (mailAddress.safeParse(destination).success) return null;
  return problem('invalid', 'destination must be a single email address without a name.');
}

/** What somebody copied who was not shown it. */
const isMasked = /[•…]|\*\*/;

const slackMessage = (hosts: readonly string[]) => `destination must be an https address on ${hosts.join(' or ')}.`;

/** Slack's address is a key: it goes nowhere but to the hosts that are allowed. */
export function isSlackAddress(text: string, hosts: readonly string[]): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, port, username, password } = new URL(text);
  if (username !== '' || password !== '' || !hosts.includes(hostname)) return false;
  return isLoopback(hostname) || (protocol === 'https:' && port === '');
}

/** The endpoint that a rule of the channel `webhook` names. */
export const findEndpoint = <One extends Endpoint>(endpoints: readonly One[], destination: string | null) =>
  endpoints.find(({ id }) => String(id) === destination);

/** Why nothing of what a rule finds is sent in this service; null where nothing hinders. */
export function undeliverableReason(
  { channel, destination }: Target,
  { CODEHOST_TOKEN: token }: Pick<Env, 'CODEHOST_TOKEN'>,
  endpoints: readonly Endpoint[],
): string | null {
  if (channel === 'digest' && token === undefined)
    return 'Daily digests are sent with the nightly sync, and CODEHOST_TOKEN is not set.';
  if (channel !== 'webhook') return null;
  const endpoint = findEndpoint(endpoints, destination);
  if (!endpoint) return 'Its webhook endpoint was deleted.';
  return endpoint.enabled ? null : 'Its webhook endpoint is off.';
}
