import type { Services } from '../../access/context.ts';
import type { AlertEmailData } from '../../mail/emails/alert.ts';
import { readSetting } from '../../settings/setting.ts';
import { workday } from '../../settings/workday.ts';
import type { AlertEvent } from '../../store/alert-events.ts';
import type { Store } from '../../store/orm.ts';
import { findAlertMetric } from '../metrics.ts';
import { getMetricPath, metricLabels } from '../rules.ts';

/** What came of handing a message over; `error` is the other side's own text. */
export type DeliveryResult =
  | { ok: true }
  | {
      ok: false;
      permanent: boolean;
      error: string;
      /** How long it requests to wait. */
      retryAfterMs: number | null;
      /** `no_provider`: there is nothing to send through, and nothing was tried. */
      cause?: 'unreachable' | 'no_provider';
    };

export type ChannelServices = Pick<Services, 'clock' | 'env' | 'mailer'> & { store: Store };

/** Sends one event by itself. Never throws for what the other side does. */
export type Channel = (event: AlertEvent, services: ChannelServices) => Promise<DeliveryResult>;

/** The message about an event, the same for every channel, with the paths of where it is explained and of its rule. */
export async function messageAbout(
  event: AlertEvent,
  { store }: Pick<ChannelServices, 'store'>,
): Promise<AlertEmailData> {
  const { repo, scope, metric, value, threshold, windowHours, sampleSize, firedAt, isTest, details } = event;
  const { label, unit, isPointInTime } = metricLabels(metric);
  const { timezone } = (await readSetting(workday, store)).value;
  return {
    repo: repo ?? scope.slice(scope.indexOf(':') + 1),
    label,
    unit,
    value,
    threshold,
    sample: sampleSize,
    windowHours: isPointInTime ? null : (findAlertMetric(metric)?.effectiveHours(windowHours) ?? windowHours),
    firedAt,
    zone: timezone,
    isTest,
    explainHref: getMetricPath(metric, repo, details),
    ruleHref: ruleHref(event.ruleId),
  };
}

/** The path of a rule; of one that was deleted, of all rules. */
export const ruleHref = (ruleId: number | null): string => (ruleId === null ? '/alerts' : `/alerts#rule-${ruleId}`);
