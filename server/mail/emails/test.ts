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
    subject: 'Test of e-mail delivery',
    heading: 'This is a test of e-mail delivery',
    parts: [
      paragraph('Mail reaches you. Nothing else is meant by this letter.'),
      facts([
        ['Provider', provider],
        ['Configured', source === 'settings' ? 'in the settings' : 'by the environment'],
        ['Time', formatMoment(sentAt, zone)],
      ]),
      links(appUrl, [['Settings of e-mail delivery', '/settings/email']]),
    ],
  });
