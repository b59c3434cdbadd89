import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AlertEmailData, alertEmail } from '../../server/mail/emails/alert.ts';
import { type DigestEmailData, digestEmail } from '../../server/mail/emails/digest.ts';
import type { EmailContent } from '../../server/mail/emails/layout.ts';
import { type LeadershipEmailData, leadershipEmail } from '../../server/mail/emails/leadership-digest.ts';
import { formatMoment } from '../../server/mail/emails/moment.ts';
import { testEmailContent } from '../../server/mail/emails/test.ts';
import { html } from '../../server/mail/html.ts';

const appUrl = 'https://analytics.example';
const firedAt = Date.UTC(2026, 10, 16, 18, 5);
const zone = 'Asia/Saigon';

const alert: AlertEmailData = {
  repo: 'octo/web',
  label: 'Failed runs',
  value: 62.5,
  unit: 'percent',
  threshold: 30,
  windowHours: 24,
  sample: 1600,
  firedAt,
  zone,
  isTest: false,
  explainHref: '/explain?metric=failure_rate&owner=octo',
  ruleHref: '/alerts#rule-3',
};
const digest: DigestEmailData = {
  items: [
    { repo: 'octo/web', label: 'Failed runs', value: 62.5, unit: 'percent', firedAt, isEarlier: false },
    { repo: 'octo/api', label: 'Waiting for review', value: 3, unit: 'hours', firedAt, isEarlier: true },
  ],
  zone,
  alertsHref: '/alerts',
};
const leadership: LeadershipEmailData = {
  org: 'octo',
  week: '2026-W47',
  isDelayed: false,
  isTest: false,
  needAttention: 2,
  aiSummary: null,
  summary: '2 of 8 are at risk.',
  highlights: ['web is healthy.'],
  concerns: ['api rests on one person.'],
  scored: 8,
  repositories: 10,
  ruleHref: '/alerts#rule-9',
};

/** What the HTML says, without its marks. */
const getText = ({ html }: EmailContent) =>
  html
    .replace(/<style>.*?<\/style>|<title>.*?<\/title>/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&(lt|gt|amp|quot|#39);/g, (_, name: string) => entities[name] ?? '')
    .replace(/\s+/g, ' ');
const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" };
const oneSpaced = (text: string) => text.replace(/\s+/g, ' ');

describe('an email of an alert', () => {
  test('says in both parts what was found, where and when, and leads on', () => {
    const email = alertEmail(alert, appUrl);
    expect(email.subject).toBe('octo/web: Failed runs 62.5\u00a0% (threshold 30\u00a0%)');
    expect(oneSpaced(email.text)).toContain(
      'Repository: octo/web Metric: Failed runs Value: 62.5 % Threshold: 30 % or more Window: last 24 hours ' +
        'Sample: 1,600 Time: 17 Nov 2026, 01:05 Asia/Saigon (16 Nov 2026, 18:05 UTC)',
    );
    expect(email.text).toContain('https://analytics.example/explain?metric=failure_rate&owner=octo\n');
    expect(email.text).toContain('https://analytics.example/alerts#rule-3\n');
    for (const said of ['octo/web', '62.5 %', '30 % or more', 'last 24 hours', '1,600', '(16 Nov 2026, 18:05 UTC)'])
      expect(getText(email)).toContain(said);
    expect(email.html).toContain('href="https://analytics.example/explain?metric=failure_rate&amp;owner=octo"');
    expect(email.text + email.html).not.toContain('test');
  });

  test('that is a test says so in subject and body, first of all', () => {
    const email = alertEmail({ ...alert, isTest: true }, appUrl);
    expect(email.subject).toMatch(/^Test: octo/);
    expect(email.text).toMatch(/62\.5\s%\n\nThis is a test with sample values/);
    expect(getText(email)).toContain('This is a test with sample values');
  });

  test('of an unknown value shows a dash, not a zero', () => {
    expect(alertEmail({ ...alert, value: null }, appUrl).text).toContain('Value: –\n');
  });
});

describe('the daily email', () => {
  test('counts, and begins with what an earlier one should have reported', () => {
    const { subject, text } = digestEmail(digest, appUrl);
    expect(oneSpaced(subject)).toBe('2 alerts in 2 repositories');
    expect(oneSpaced(text)).toContain(
      '1 is from an earlier day: that digest could not be sent. ' +
        'Repository · Metric · Value · Fired at (Asia/Saigon) ' +
        'octo/api · Waiting for review · 3 h · 17 Nov 2026, 01:05 (earlier) octo/web · Failed runs',
    );
    expect(text).toContain('View all alerts: https://analytics.example/alerts\n');
    const single = digestEmail({ ...digest, items: digest.items.slice(0, 1), isTest: true }, appUrl);
    expect(oneSpaced(single.subject)).toBe('Test: 1 alert in 1 repository');
  });

  test('that would grow too long for mail clients says how many it excluded', () => {
    const items = Array.from({ length: 5000 }, (_, index) => ({
      ...alert,
      repo: `${'o'.repeat(39)}/${'r'.repeat(95)}${index}`,
      isEarlier: false,
    }));
    const { subject, text, html } = digestEmail({ ...digest, items }, appUrl);
    expect(oneSpaced(subject)).toBe('5,000 alerts in 5,000 repositories');
    expect(oneSpaced(text)).toContain('4,950 more on the alerts page.');
    expect(html.length).toBeLessThan(100_000);
  });
});

describe('the weekly email', () => {
  test('reports how many repositories need attention, concerns, highlights and coverage', () => {
    const { subject, text } = leadershipEmail({ ...leadership, scored: 10 }, appUrl);
    expect(oneSpaced(subject)).toBe('octo: 2 repositories need attention (2026-W47)');
    expect(oneSpaced(text)).toContain(
      '2 of 8 are at risk. Concerns - api rests on one person. Highlights - web is healthy. 10 of 10 repositories scored.',
    );
    expect(text).toContain('Manage this rule: https://analytics.example/alerts#rule-9\n');
    expect(text).not.toMatch(/is late|AI summary/);
  });

  test('of an organization that was scored in part says so first, and in the subject', () => {
    const aiSummary = { text: 'All is well.', provider: 'anthropic', model: 'small-1', unverified: false };
    const { subject, text } = leadershipEmail({ ...leadership, needAttention: 0, aiSummary }, appUrl);
    expect(oneSpaced(subject)).toBe('octo: 0 repositories need attention, 8 of 10 scored (2026-W47)');
    const covered = '8 of 10 repositories scored. Covers the ten most recently pushed repositories.';
    expect(oneSpaced(text)).toContain(`${covered} AI summary (anthropic, small-1) All is well.`);
    expect(oneSpaced(text).split(covered)).toHaveLength(2);
    expect(oneSpaced(leadershipEmail({ ...leadership, repositories: 9 }, appUrl).text)).not.toContain('Covers the ten');
  });

  test('names what wrote a generated paragraph, and says when it comes late', () => {
    const aiSummary = { text: 'All rests on ann.', provider: 'anthropic', model: 'small-1', unverified: false };
    const { text } = leadershipEmail({ ...leadership, aiSummary, isDelayed: true }, appUrl);
    expect(oneSpaced(text)).toContain('AI summary (anthropic, small-1) All rests on ann. Based on the');
    expect(text).toContain('This email is late');
  });

  test('says in both parts that a generated paragraph holds a number from nowhere', () => {
    const aiSummary = { text: '99 rest on ann.', provider: 'anthropic', model: 'small-1' };
    const [marked, plain] = [true, false].map((unverified) =>
      leadershipEmail({ ...leadership, aiSummary: { ...aiSummary, unverified } }, appUrl),
    );
    if (!marked || !plain) throw new Error('both were written');
    const note =
      /AI can make mistakes\. Unverified: it contains a number that is not in those figures\. 2 of 8 are at risk\./;
    for (const said of [oneSpaced(marked.text), getText(marked)]) expect(said).toMatch(note);
    expect(plain.text + plain.html).not.toContain('Unverified');
  });

  test('of an organization without any score does not say that all is well', () => {
    const { subject, text } = leadershipEmail({ ...leadership, scored: 0, needAttention: 0 }, appUrl);
    expect(subject).toBe('octo: no scores (2026-W47)');
    expect(text).not.toContain('at risk');
    expect(oneSpaced(text)).toContain('could be scored this week. 0 of 10 repositories scored.');
  });
});

test('the email to try delivery names provider, source and time', () => {
  const { text } = testEmailContent({ provider: 'resend', source: 'env', sentAt: firedAt, zone: 'UTC' }, appUrl);
  expect(text).toContain('Provider: resend\nConfigured in: environment\nTime: 16 Nov 2026, 18:05 UTC\n');
  expect(text).toContain('https://analytics.example/settings/email\n');
});

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    'Lamps\r\nBcc: eve@evil.example',
    'a\u2028b\u0085c\u202ed',
    '&amp;lt;b&gt;',
  ),
);
const href = fc.oneof(
  hostile,
  fc.constantFrom('//evil.example/x', 'https://evil.example', 'javascript:alert(1)', '/\\evil.example', '/alerts"><b>'),
);

/** Every email, with hostile words wherever there are words. */
const emails = fc
  .record({ word: hostile, other: hostile, href, number: fc.double({ noNaN: true, min: -1e9, max: 1e9 }) })
  .map(({ word, other, href, number }) => [
    alertEmail({ ...alert, repo: word, label: other, value: number, explainHref: href, ruleHref: href }, appUrl),
    digestEmail(
      { ...digest, items: [{ ...alert, repo: word, label: other, isEarlier: true }], alertsHref: href },
      appUrl,
    ),
    leadershipEmail(
      {
        ...leadership,
        org: word,
        week: other,
        summary: word,
        highlights: [word, other],
        concerns: [other],
        aiSummary: { text: word, provider: other, model: word, unverified: true },
        ruleHref: href,
      },
      appUrl,
    ),
  ]);

/** The marks that the emails themselves have. */
const ownTags = /^(!doctype html|\/?(html|head|body|meta|title|style|table|tr|td|th|h1|h2|p|ul|li|a|br)\b[^<>]*)$/;

test('a template escapes what is put in, in text and in attributes, and trusts itself alone', () => {
  const word = `<b a="1" c='2'>&amp;`;
  const escaped = '&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;';
  expect(html`<p title="${word}">${[word, html`<i>${word}</i>`, 7, null]}</p>`.markup).toBe(
    `<p title="${escaped}">${escaped}<i>${escaped}</i>7</p>`,
  );
});

test('whatever is reported stays words: no mark, no line, no address of its own', () => {
  fc.assert(
    fc.property(emails, (all) => {
      for (const { subject, text, html } of all) {
        expect(subject).not.toMatch(/[\p{Cc}\u2028\u2029\u202e]/u);
        for (const [, tag = ''] of html.matchAll(/<([^<>]*)>/g)) {
          expect(tag).toMatch(ownTags);
          expect(tag).not.toMatch(/\son\w+=|\ssrc=|url\(/i);
        }
        for (const [, url = ''] of html.matchAll(/href="([^"]*)"/g))
          expect(url).toMatch(/^https:\/\/analytics\.example(\/|$)/);
        // What follows the words of a link in plain text is its address.
        for (const line of text.split('\n')) expect(line).not.toMatch(/[\r\u2028\u2029]|^Bcc:/);
        expect(html).not.toMatch(/<img|<link|<iframe|<script|@import|url\(/);
      }
    }),
    { numRuns: 200 },
  );
});

test('a moment is reported in the zone and in UTC, with the day of each where they differ', () => {
  expect(formatMoment(Date.UTC(2026, 10, 16, 3), zone)).toBe('16 Nov 2026, 10:00 Asia/Saigon (03:00 UTC)');
  expect(formatMoment(Date.UTC(2026, 10, 16), 'UTC')).toBe('16 Nov 2026, 00:00 UTC');
  expect(formatMoment(Date.UTC(2026, 6, 1, 1), 'America/New_York')).toBe(
    '30 Jun 2026, 21:00 America/New_York (1 Jul 2026, 01:00 UTC)',
  );
});
