import { expect, test } from 'vitest';
import { openApiDocument } from '../../server/api/openapi/document.ts';
import { operations } from '../../server/api/registry.ts';
import { alertEmail } from '../../server/mail/emails/alert.ts';
import { digestEmail } from '../../server/mail/emails/digest.ts';
import type { EmailContent } from '../../server/mail/emails/layout.ts';
import { leadershipEmail } from '../../server/mail/emails/leadership-digest.ts';
import { testEmailContent } from '../../server/mail/emails/test.ts';
import { oldPhrases } from './phrases.ts';

const appUrl = 'https://analytics.example';
const firedAt = Date.UTC(2026, 10, 16, 18, 5);
const event = { repo: 'octo/web', label: 'Failure rate', value: 62.5, unit: 'percent' as const, firedAt };
const alert = {
  ...event,
  threshold: 30,
  windowHours: 24,
  sample: 1600,
  zone: 'UTC',
  isTest: false,
  explainHref: '/explain',
  ruleHref: '/alerts#rule-3',
};
const week = {
  org: 'octo',
  week: '2026-W47',
  isDelayed: false,
  isTest: false,
  needAttention: 2,
  aiSummary: null,
  summary: '2 of 8 scored repositories are at risk.',
  highlights: ['Healthy: octo/web.'],
  concerns: ['octo/api is at risk.'],
  scored: 8,
  repositories: 10,
  ruleHref: '/alerts#rule-9',
};
const aiSummary = { text: 'All is well.', provider: 'anthropic', model: 'small-1', unverified: true };
const items = Array.from({ length: 60 }, (_, index) => ({ ...event, isEarlier: index === 0 }));

/** Every email, in every state that adds a sentence. */
const emails: [title: string, email: EmailContent][] = [
  ['alert', alertEmail(alert, appUrl)],
  ['test alert of a current value', alertEmail({ ...alert, isTest: true, value: null, windowHours: null }, appUrl)],
  ['daily digest', digestEmail({ items, zone: 'UTC', alertsHref: '/alerts' }, appUrl)],
  ['weekly email', leadershipEmail(week, appUrl)],
  ['weekly email that is late, with AI', leadershipEmail({ ...week, isDelayed: true, aiSummary }, appUrl)],
  ['weekly email without scores', leadershipEmail({ ...week, scored: 0 }, appUrl)],
  ['test email', testEmailContent({ provider: 'smtp', source: 'settings', sentAt: firedAt, zone: 'UTC' }, appUrl)],
];

const withoutTags = (html: string) => html.replace(/<style>.*?<\/style>/gs, ' ').replace(/<[^>]+>/g, ' ');

test.each(emails)('%s: no phrase that was replaced, in either part', (_title, { subject, text, html }) => {
  expect([subject, text, withoutTags(html)].flatMap(oldPhrases)).toEqual([]);
});

/** Every text of a value made of objects and lists, without names of fields. */
const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return value.includes(' ') ? [value] : [];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : [];
};

test('the description of the API has none', () => {
  const texts = textsIn(openApiDocument(operations, { APP_URL: appUrl, CODEHOST_WEB_URL: 'https://github.com' }));
  expect(texts.length).toBeGreaterThan(1000);
  expect([...new Set(texts.flatMap(oldPhrases))]).toEqual([]);
});
