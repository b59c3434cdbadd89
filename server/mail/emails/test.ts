import type { Instant } from '../../metrics/kernel/facts.ts';
import type { MailProvider } from '../mailer.ts';
import { compose, type EmailContent, facts, links, paragraph } from './layout.ts';
import { formatMoment } from './moment.ts';

export interface TestEmailData {
  provider: MailProvider;
  source: 'settings' | 'env';
  sentAt: Instant;
  /** The team's zone. */
  zone: string;
}

/** The email by which somebody tries how mail goes out. */
export const testEmailContent = ({ provider, source, sentAt, zone }: TestEmailData, appUrl: string): EmailContent =>
  compose({
    appUrl,
    subject: 'Email delivery test',
    heading: 'Email delivery works',
    parts: [
      paragraph('This is a test email. No action is needed.'),
      facts([
        ['Provider', provider],
        ['Configured in', source === 'settings' ? 'settings' : 'environment'],
        ['Time', formatMoment(sentAt, zone)],
      ]),
      links(appUrl, [['Email settings', '/settings/email']]),
    ],
  });
