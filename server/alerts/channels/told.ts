import type { AlertLetterData } from '../../mail/letters/alert.ts';
import { readSetting } from '../../settings/setting.ts';
import { workday } from '../../settings/workday.ts';
import type { AlertEvent } from '../../store/alert-events.ts';
import { alertMetricOf } from '../metrics.ts';
import { placeOf, wordsOf } from '../rules.ts';
import type { ChannelServices } from './channel.ts';

/** What every channel tells of an event, with the paths of where it is explained and where its rule lives. */
export async function toldOf(event: AlertEvent, { store }: Pick<ChannelServices, 'store'>): Promise<AlertLetterData> {
  const { repo, scope, metric, value, threshold, windowHours, sampleSize, firedAt, isTest, details } = event;
  const { label, unit, isOfNow } = wordsOf(metric);
  const { timezone } = (await readSetting(workday, store)).value;
  return {
    ...{ repo: repo ?? scope.slice(scope.indexOf(':') + 1), label, unit, value, threshold, sample: sampleSize },
    windowHours: isOfNow ? null : (alertMetricOf(metric)?.effectiveHours(windowHours) ?? windowHours),
    ...{ firedAt, zone: timezone, isTest },
    explainHref: placeOf(metric, repo, details),
    ruleHref: ruleHref(event.ruleId),
  };
}

/** Where a rule lives; of one that was deleted, all of them. */
export const ruleHref = (ruleId: number | null): string => (ruleId === null ? '/alerts' : `/alerts#rule-${ruleId}`);
