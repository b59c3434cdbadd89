import { count, figures, quantity } from '../../domain/quantity.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import type { Unit } from '../../metrics/kernel/metric.ts';
import { compose, type EmailContent, links, paragraph, table } from './layout.ts';
import { shortMoment } from './moment.ts';

/** The alerts of a day, for one recipient. */
export interface DigestEmailData {
  items: {
    repo: string;
    label: string;
    value: number | null;
    unit: Unit;
    firedAt: Instant;
    /** It belonged into an email of an earlier day, which could not be sent. */
    isEarlier: boolean;
  }[];
  /** The team's zone. */
  zone: string;
  /** Path of the page with all alerts. */
  alertsHref: string;
  isTest?: boolean;
}

/** Mail clients truncate an email at about 100 KB. */
const maxRows = 50;

/** The daily email: what is late comes first. */
export function digestEmail({ items, zone, alertsHref, isTest }: DigestEmailData, appUrl: string): EmailContent {
  const earlier = items.filter(({ isEarlier }) => isEarlier);
  const ordered = [...earlier, ...items.filter(({ isEarlier }) => !isEarlier)];
  const repositories = new Set(items.map(({ repo }) => repo)).size;
  const heading = `${count(items.length, 'alert')} in ${count(repositories, 'repository', 'repositories')}`;
  const late = `${count(earlier.length, 'is', 'are')} from an earlier day: that digest could not be sent.`;
  const rest = ordered.length - maxRows;
  return compose({
    subject: heading,
    heading,
    appUrl,
    isTest,
    parts: [
      ...(earlier.length > 0 ? [paragraph(late)] : []),
      table(
        ['Repository', 'Metric', 'Value', `Fired at (${zone})`],
        ordered
          .slice(0, maxRows)
          .map(({ repo, label, value, unit, firedAt, isEarlier }) => [
            repo,
            label,
            quantity(value, unit),
            `${shortMoment(firedAt, zone)}${isEarlier ? ' (earlier)' : ''}`,
          ]),
      ),
      ...(rest > 0 ? [paragraph(`${figures(rest, 0)} more on the alerts page.`)] : []),
      links(appUrl, [['View all alerts', alertsHref]]),
    ],
  });
}
