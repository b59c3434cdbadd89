import { figures } from '../../../server/domain/quantity.ts';
import { amount, getScopeName, isDigest, type Rule, scopeText, windowText } from './labels.ts';

/** A rule in one sentence: `When failure rate in octo/web over 7 days reaches 10 %, email ann@octo.example.` */
export function ruleSentence(rule: Rule): string {
  if (isDigest(rule)) return `${ruleSubject(rule)}${toDestination(rule)}.`;
  const { is_of_now: isOfNow, effective_window_hours: hours } = rule;
  const over = isOfNow ? '' : ` over ${windowText(hours)}`;
  return `${ruleSubject(rule)}${over} ${reaches(rule)}, ${notifies(rule)}.`;
}

/** How the sentence begins: what of a rule cannot be changed. */
export const ruleSubject = (rule: Rule): string =>
  isDigest(rule)
    ? `Every Monday, email the summary of ${getScopeName(rule.scope)}`
    : `When ${metricText(rule)} in ${scopeText(rule.scope)}`;

/** `failure rate`, `p95 duration`. */
function metricText({ label }: Rule): string {
  const [name = '', percentile] = label.split(', ');
  const text = `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
  return percentile === undefined ? text : `${percentile} ${text}`;
}

const reaches = ({ threshold, unit }: Rule) =>
  threshold === 0 ? 'has any value' : `reaches ${amount(threshold, unit)}`;

function notifies(rule: Rule): string {
  const { channel, destination, destination_name: name } = rule;
  if (channel === 'browser') return 'notify in the browser';
  if (channel === 'slack') return 'post to Slack';
  if (channel === 'webhook') return name === null ? 'post to a webhook' : `post to the webhook ${name}`;
  if (channel === 'digest') return `add it to the daily digest email${toDestination(rule)}`;
  return destination === null ? 'send an email' : `email ${destination}`;
}

/** When a rule fires, briefly: `≥ 15 % over 7 days`. */
export function conditionText(rule: Rule): string {
  if (isDigest(rule)) return 'Every Monday';
  const { threshold, unit, is_of_now: isOfNow, effective_window_hours: hours } = rule;
  const reached = threshold === 0 ? 'any value' : `≥\u00a0${amount(threshold, unit)}`;
  return isOfNow ? reached : `${reached} over ${windowText(hours)}`;
}

const toDestination = ({ destination }: Rule) => (destination === null ? '' : ` to ${destination}`);

/** What limits a rule beyond its sentence. */
export function ruleLimits(rule: Rule): string {
  const { window_hours: requested, effective_window_hours: used, min_sample: sample, is_of_now: isOfNow } = rule;
  if (isDigest(rule)) return '';
  const quiet = `At most once in ${windowText(requested)}.`;
  const short = isOfNow || used === requested ? '' : ` ${windowText(requested)} is too short for this metric.`;
  return `Minimum sample ${figures(sample)}. ${quiet}${short}`;
}
