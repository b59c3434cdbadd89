// @vitest-environment jsdom
import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { type AlertEvent, deliveryText, type Rule, ruleState } from '../../app/routes/alerts/labels.ts';
import { PageNotices } from '../../app/routes/alerts/notices.tsx';
import { daysReached } from '../../app/routes/alerts/rule-details.tsx';
import { RuleTable } from '../../app/routes/alerts/rule-table.tsx';
import { conditionText, ruleLimits, ruleSentence } from '../../app/routes/alerts/sentence.ts';
import { drawInRoot } from './in-root.tsx';

const now = Date.parse('2026-05-20T03:20:00Z');
const later = '2026-05-21T03:20:00.000Z';

const rule: Rule = {
  id: 4,
  scope: 'repo:octo/web',
  metric: 'failure_rate',
  label: 'Failed runs',
  unit: 'percent',
  threshold: 20,
  window_hours: 24,
  effective_window_hours: 24,
  is_of_now: false,
  min_sample: 5,
  channel: 'browser',
  destination: null,
  destination_name: null,
  destination_hidden: false,
  enabled: true,
  muted_until: null,
  owner_note: null,
  runbook_url: null,
  created_by: null,
  created_at: later,
  updated_by: null,
  updated_at: later,
  last_fired_at: null,
  last_evaluated_at: later,
  last_value: 12.5,
  last_sample: 8,
  has_reached: false,
  incomplete: null,
  unsent: null,
  health: 'ok',
  highest_by_day: Array.from({ length: 30 }, () => null),
};

test.each<[Partial<Rule>, string, string]>([
  [{}, 'pass', 'OK'],
  [{ last_value: 20, has_reached: true }, 'fail', 'Firing'],
  [{ last_value: 20, has_reached: false }, 'pass', 'OK'],
  [{ last_value: 90, has_reached: null, last_sample: 4 }, 'void', 'Sample too small'],
  [{ last_value: 0, last_sample: 0, has_reached: false }, 'pass', 'OK'],
  [{ has_reached: false, incomplete: 'Not all was read.' }, 'void', 'May be higher'],
  [{ has_reached: true, incomplete: 'Not all was read.' }, 'fail', 'Firing'],
  [{ last_value: null, has_reached: null, health: 'no_data' }, 'void', 'No value yet'],
  [{ last_value: null, has_reached: null }, 'void', 'No value yet'],
  [{ health: 'scope_unreachable' }, 'warning', 'No data'],
  [{ health: 'delivery_failing' }, 'fail', 'Not delivered'],
  [{ health: 'delivery_failing', muted_until: later }, 'void', 'Muted'],
  [{ muted_until: '2026-05-20T03:19:00.000Z' }, 'pass', 'OK'],
  [{ enabled: false, has_reached: true }, 'void', 'Off'],
  [{ metric: 'leadership_digest', has_reached: null }, 'pass', 'On'],
  [{ metric: 'leadership_digest', has_reached: null, health: 'no_data', incomplete: 'No.' }, 'warning', 'Not sent'],
])('a rule with %o reads %s, %s', (more, status, word) => {
  expect(ruleState({ ...rule, ...more }, now)).toMatchObject({ status, word });
});

test('a rule says why nothing of it is sent, beside how it stands', () => {
  const unsent = 'No token.';
  expect(ruleState({ ...rule, unsent }, now)).toEqual({ status: 'pass', word: 'OK', why: unsent });
  const failing = ruleState({ ...rule, unsent, health: 'delivery_failing' }, now);
  expect(failing.why).toBe('The last notification failed. No token.');
  expect(ruleState({ ...rule, unsent, enabled: false }, now).why).toBeUndefined();
  expect(ruleState(rule, now).why).toBeUndefined();
});

const sentence = (more: Partial<Rule>) => ruleSentence({ ...rule, ...more }).replaceAll('\u00a0', ' ');

test.each<[Partial<Rule>, string]>([
  [{}, 'When failed runs in octo/web over 1 day reaches 20 %, notify in the browser.'],
  [{ threshold: 0 }, 'When failed runs in octo/web over 1 day has any value, notify in the browser.'],
  [
    { scope: 'org:octo', channel: 'email', destination: 'team@octo.example' },
    'When failed runs in each synced repository of octo over 1 day reaches 20 %, email team@octo.example.',
  ],
  [
    { channel: 'email', destination_hidden: true },
    'When failed runs in octo/web over 1 day reaches 20 %, send an email.',
  ],
  [
    { channel: 'digest', destination: 'a@b.example' },
    'When failed runs in octo/web over 1 day reaches 20 %, add it to the daily digest email to a@b.example.',
  ],
  [
    { channel: 'slack', destination: 'https://hooks.slack.example/T0' },
    'When failed runs in octo/web over 1 day reaches 20 %, post to Slack.',
  ],
  [{ label: 'Duration, p95' }, 'When p95 duration in octo/web over 1 day reaches 20 %, notify in the browser.'],
  [{ is_of_now: true }, 'When failed runs in octo/web reaches 20 %, notify in the browser.'],
  [
    { metric: 'leadership_digest', scope: 'org:octo', destination: 'a@b.example' },
    'Every Monday, email the summary of octo to a@b.example.',
  ],
])('a rule with %o is one sentence', (more, expected) => {
  expect(sentence(more)).toBe(expected);
});

test('beyond its sentence a rule says its sample, how often it fires, and where its window is too short', () => {
  const limits = (more: Partial<Rule>) => ruleLimits({ ...rule, ...more }).replaceAll('\u00a0', ' ');
  expect(limits({})).toBe('Minimum sample 5. At most once in 1 day.');
  expect(limits({ window_hours: 36, effective_window_hours: 168 })).toMatch(/36 hours is too short for this metric\.$/);
  expect(limits({ window_hours: 36, effective_window_hours: 168, is_of_now: true })).not.toContain('short');
  expect(limits({ metric: 'leadership_digest' })).toBe('');
});

const lately = (...last: (number | null)[]) => [...rule.highest_by_day.slice(last.length), ...last];

test.each<[(number | null)[], string]>([
  [[], ''],
  [[null, 19.999], 'Threshold reached on 0 of the last 1 day.'],
  [[20, null, 0, 60], 'Threshold reached on 2 of the last 3 days.'],
])('of days with %o it says %s', (last, labels) => {
  expect(daysReached({ ...rule, highest_by_day: lately(...last) }).replaceAll('\u00a0', ' ')).toBe(labels);
});

const table = (rules: Rule[]) =>
  drawInRoot(<RuleTable rules={rules} mayChange={false} chosenId={null} />, { now, zone: 'UTC', base: '' }).container;

test('rules are a file, which the demo has not', () => {
  const files = (base: string) => {
    const props = { rules: [rule], mayChange: false, chosenId: null };
    const { container } = drawInRoot(<RuleTable {...props} />, { now, zone: 'UTC', base });
    return [...container.querySelectorAll('a[href*="format=csv"]')].map((link) => link.getAttribute('href'));
  };
  expect(files('')).toEqual(['/api/alerts?format=csv']);
  expect(files('/demo')).toEqual([]);
});

test('the drawing of days reports its ends and the threshold, and there is none without a value', () => {
  const titles = [[60, null, 12.5], []].map((last) =>
    table([{ ...rule, highest_by_day: lately(...last) }])
      .querySelector('.spark title')
      ?.textContent?.replaceAll('\u00a0', ' '),
  );
  expect(titles).toEqual([
    'Daily maximum, last 30 days: lowest 12.5 %, highest 60 %, last 12.5 %, threshold 20 %',
    undefined,
  ]);
});

const event = {
  channel: 'email',
  delivery_status: 'pending',
  delivery_attempts: 0,
  digest_sent_at: null,
} as AlertEvent;

test.each<[Partial<AlertEvent>, string]>([
  [{}, 'sending'],
  [{ delivery_attempts: 2 }, 'retrying after 2 attempts'],
  [{ delivery_status: 'failed', delivery_attempts: 6 }, 'failed after 6 attempts'],
  [{ delivery_status: 'sent' }, 'sent'],
  [{ channel: 'digest', delivery_status: 'batched' }, 'queued for the daily digest'],
  [{ channel: 'digest', delivery_status: 'batched', digest_sent_at: later }, 'sent in the daily digest'],
  [{ channel: 'browser', delivery_status: 'none' }, 'shown here'],
])('an event with %o is %s', (more, labels) => {
  expect(deliveryText({ ...event, ...more }).replaceAll('\u00a0', ' ')).toBe(labels);
});

type Source = Parameters<typeof PageNotices>[0]['mailSource'];

const noticed = (rules: Rule[], mailSource: Source, hasServiceToken = true) =>
  render(<PageNotices rules={rules} mailSource={mailSource} lacksServiceToken={!hasServiceToken} isDeleted={false} />)
    .container;

test('what needs the token of the service is said where there is none', () => {
  expect(noticed([], null).textContent).toBe('');
  const labels = noticed([], null, false).textContent;
  for (const part of ['CODEHOST_TOKEN is not set.', 'Nightly sync', 'daily digest', 'weekly emails'])
    expect(labels).toContain(part);
});

test.each<[Source, string]>([
  ['none', 'Email is not being sent. 1 rule sends email, and no email provider is configured. Email settings'],
  ['settings_broken', 'Email is not being sent. 1 rule sends email, and the saved email settings are invalid.'],
  ['unknown', 'Email delivery status is unknown. 1 rule sends email.'],
  ['env', ''],
  [null, ''],
])('mail that goes out through %s is reported where a rule needs it', (source, labels) => {
  const mailed: Rule = { ...rule, channel: 'digest' };
  const text = (rules: Rule[]) => noticed(rules, source).textContent?.replaceAll('\u00a0', ' ') ?? '';
  if (labels) expect(text([mailed])).toContain(labels);
  else expect(text([mailed])).toBe('');
  expect(text([rule, { ...mailed, enabled: false }])).toBe('');
});

test('rules whose messages do not arrive are named, with the way to them', () => {
  const notice = noticed([rule, { ...rule, id: 9, health: 'delivery_failing' }], null);
  expect(notice.textContent).toContain('The last notification failed for Failed runs in octo/web.');
  expect(notice.querySelector('a')?.getAttribute('href')).toBe('#rule-9');
});

test('rules that fire come first, and forms are for those who may change them', () => {
  const rules = [rule, { ...rule, id: 5, last_value: 30, has_reached: true }, { ...rule, id: 6, enabled: false }];
  const states = [...table(rules).querySelectorAll('.badge')].map(({ textContent }) => textContent?.trim());
  expect(states).toEqual(['Firing', 'OK', 'Off']);
  expect(table(rules).textContent).not.toContain('Edit');
});

test.each<[Partial<Rule>, string]>([
  [{}, '≥ 20 % over 1 day'],
  [{ threshold: 0, window_hours: 36, effective_window_hours: 168 }, 'any value over 7 days'],
  [{ is_of_now: true }, '≥ 20 %'],
  [{ metric: 'leadership_digest' }, 'Every Monday'],
])('a rule with %o fires at %s', (more, expected) => {
  expect(conditionText({ ...rule, ...more }).replaceAll('\u00a0', ' ')).toBe(expected);
});
