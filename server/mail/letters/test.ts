import type { Instant } from '../../metrics/facts.ts';
import type { MailProvider } from '../mailer.ts';
import { compose, facts, type LetterContent, links, paragraph } from './layout.ts';
import { momentWords } from './moment.ts';

export interface TestLetterData {
  provider: MailProvider;
  source: 'settings' | 'env';
  sentAt: Instant;
  /** The team's zone. */
  zone: string;
}

/** The letter by which somebody tries how mail goes out. */
export const testLetter = ({ provider, source, sentAt, zone }: TestLetterData, appUrl: string): LetterContent =>
  compose({
    appUrl,
    subject: 'Test of e-mail delivery',
    heading: 'This is a test of e-mail delivery',
    parts: [
      paragraph('Mail reaches you. Nothing else is meant by this letter.'),
      facts([
        ['Provider', provider],
        ['Configured', source === 'settings' ? 'in the settings' : 'by the environment'],
        ['Time', momentWords(sentAt, zone)],
      ]),
      links(appUrl, [['Settings of e-mail delivery', '/settings/email']]),
    ],
  });
