import { describe, expect, test } from 'vitest';
import type { AlertSource } from '../../../server/metrics/security/security-alerts.ts';
import { freshService } from '../../api/endpoints.ts';
import { type SourceError, sourceErrors as words } from '../../codehost-double/security.ts';
import { theSecret } from '../../codehost-double/wire-security.ts';

const visit = freshService();
const path = (repo: string, more = '') => `/api/codehost/security-alerts?owner=octo&repo=${repo}${more}`;
const ask = (repo = 'web', as = 'token-ann') => visit.service.ask('GET', path(repo), { as });
const now = () => visit.service.clock.now();
const reject = (source: AlertSource, problem: SourceError) =>
  visit.service.double.rejectAlerts('octo/web', source, problem);
const noFigures = {
  open_count: null,
  fixed_last_90d: null,
  dismissed_last_90d: null,
  mttr_days: null,
  mttr_median_days: null,
};
const sources: AlertSource[] = ['dependabot', 'code_scanning', 'secret_scanning'];

describe('alerts of three sources that can be read', () => {
  test('have every field of the contract', async () => {
    const { status, body, headers } = await ask();
    expect(status).toBe(200);
    const { alerts, ...rest } = body;
    expect(rest).toEqual({
      repo: 'octo/web',
      sources: {
        dependabot: {
          status: 'ok',
          message: null,
          open_count: 2,
          fixed_last_90d: 2,
          dismissed_last_90d: 1,
          mttr_days: 6,
          mttr_median_days: 6,
          truncated: false,
          ended_truncated: false,
        },
        code_scanning: {
          status: 'ok',
          message: null,
          open_count: 1,
          fixed_last_90d: 0,
          dismissed_last_90d: 1,
          mttr_days: null,
          mttr_median_days: null,
          truncated: false,
          ended_truncated: false,
        },
        secret_scanning: {
          status: 'ok',
          message: null,
          open_count: 1,
          fixed_last_90d: 1,
          dismissed_last_90d: 1,
          mttr_days: 1,
          mttr_median_days: 1,
          truncated: false,
          ended_truncated: false,
        },
      },
      counts: { critical: 2, high: 1, medium: 1, low: 0 },
      total_open: 4,
      matching_open: 4,
      oldest_open_days: 40,
      any_readable: true,
      partial: false,
      needs_scope: false,
      generated_at: '2026-11-16T10:00:00.000Z',
      data_source: 'live',
    });
    expect(headers.get('x-partial')).toBe('false');
    expect(alerts[0]).toEqual({
      source: 'dependabot',
      number: 1,
      severity: 'critical',
      title: 'Lamp parser runs what it reads',
      subject: 'lamp-parser',
      html_url: 'https://codehost.example/octo/web/security/dependabot/1',
      created_at: '2026-10-07T10:00:00.000Z',
      age_days: 40,
      cvss: 9.8,
      epss: 0.42,
      ecosystem: 'npm',
      advisory: 'GHSA-0000-0000-0001',
      fix_available: true,
      patched_version: '2.0.0',
      path: 'package-lock.json',
      publicly_leaked: null,
      tool: null,
    });
    expect(visit.service.double.violations).toEqual([]);
  });

  test('are listed by severity and then by age, of all sources together', async () => {
    const { body } = await ask();
    expect(body.alerts.map(({ source, number }: { source: string; number: number }) => `${source} ${number}`)).toEqual([
      'dependabot 1',
      'secret_scanning 1',
      'code_scanning 1',
      'dependabot 2',
    ]);
  });

  test('are listed up to fifty, and counted all', async () => {
    visit.service.double.addAlerts('octo/api', 'dependabot', 130, now());
    const { body } = await ask('api');
    expect([body.alerts.length, body.total_open, body.counts.high, body.partial]).toEqual([50, 130, 130, false]);
    expect(body.alerts[0].number).toBe(130);
  });

  test('are a table', async () => {
    const { text } = await visit.service.ask('GET', path('web', '&format=csv'), { as: 'token-ann' });
    expect(text.split('\r\n')).toHaveLength(1 + 4 + 1);
    expect(text).toContain('lamp-parser');
  });
});

describe('the words of a source', () => {
  const severities: [string, string | null, string | null, string][] = [
    ['the severity for security goes first', 'error', 'low', 'low'],
    ['critical', 'note', 'critical', 'critical'],
    ['error without one', 'error', null, 'high'],
    ['warning', 'warning', null, 'medium'],
    ['note', 'note', null, 'low'],
    ['none', 'none', null, 'low'],
    ['no severity at all', null, null, 'low'],
  ];

  test.each(severities)('code: %s', async (_name, severityWord, securityLevel, expected) => {
    const level = securityLevel as 'low' | 'critical' | null;
    const alert = { source: 'code_scanning' as const, number: 1, createdAt: now(), severityWord, securityLevel: level };
    visit.service.double.putAlert('octo/api', alert);
    expect((await ask('api')).body.alerts[0].severity).toBe(expected);
  });

  test('a secret is critical always, and is neither requested nor reported', async () => {
    const { text } = await ask();
    expect(text).not.toContain(theSecret);
    const sent = visit.service.double.requests.filter(({ path: one }) => one.endsWith('/secret-scanning/alerts'));
    expect(sent.map(({ query }) => query.hide_secret)).toEqual(['true', 'true']);
  });

  test('a score without its vector is no score', async () => {
    visit.service.double.putAlert('octo/api', { source: 'dependabot', number: 1, createdAt: now(), cvss: null });
    expect((await ask('api')).body.alerts[0].cvss).toBeNull();
  });
});

describe('a source that gives nothing', () => {
  const states: [AlertSource, keyof typeof words, string][] = [
    ['dependabot', 'dependabotOff', 'not_enabled'],
    ['dependabot', 'dependabotArchived', 'error'],
    ['dependabot', 'dependabotRefused', 'forbidden'],
    ['dependabot', 'fineGrained', 'forbidden'],
    ['dependabot', 'addressNotAllowed', 'forbidden'],
    ['dependabot', 'applicationRestricted', 'forbidden'],
    ['dependabot', 'notFound', 'not_enabled'],
    ['code_scanning', 'codeScanningOff', 'not_enabled'],
    ['code_scanning', 'codeScanningUnlicensed', 'not_enabled'],
    ['code_scanning', 'codeScanningUnlicensedEarlier', 'not_enabled'],
    ['code_scanning', 'plan', 'not_enabled'],
    ['code_scanning', 'nothingAnalysed', 'not_enabled'],
    ['code_scanning', 'codeScanningRefused', 'forbidden'],
    ['code_scanning', 'unavailable', 'error'],
    ['secret_scanning', 'secretScanningOff', 'not_enabled'],
    ['secret_scanning', 'fineGrained', 'forbidden'],
    ['secret_scanning', 'unavailable', 'error'],
  ];

  test.each(states)('%s, %s: %s', async (source, problem, expected) => {
    reject(source, words[problem]);
    const { status, body, headers } = await ask();
    expect(status).toBe(200);
    const message = expect.stringMatching(/^[A-Z][^`]+\.$/);
    expect(body.sources[source]).toEqual({
      status: expected,
      message,
      truncated: false,
      ended_truncated: false,
      ...noFigures,
    });
    expect([body.partial, body.any_readable, body.needs_scope]).toEqual([true, true, expected === 'forbidden']);
    expect(headers.get('x-partial')).toBe('true');
    for (const other of sources.filter((one) => one !== source)) expect(body.sources[other].status).toBe('ok');
    expect(visit.service.double.violations).toEqual([]);
  });

  const outcomes = { ok: null, not_enabled: words.notFound, forbidden: words.fineGrained, error: words.unavailable };
  const names = Object.keys(outcomes) as (keyof typeof outcomes)[];
  const all = names.flatMap((a) => names.flatMap((b) => names.map((c) => [a, b, c] as const)));

  test('in every combination: only what was read is counted, and never clean when something was not', {
    timeout: 60_000,
  }, async () => {
    const { double, signIn } = visit.service;
    await signIn('token-ann');
    const answers = all.map(async (combination, index) => {
      const repo = `of-${index}`;
      double.addRepository({ name: `octo/${repo}`, facts: { id: 70_000 + index } });
      for (const [at, source] of sources.entries()) {
        double.addAlerts(`octo/${repo}`, source, 2, now());
        double.rejectAlerts(`octo/${repo}`, source, outcomes[combination[at] ?? 'ok']);
      }
      const { body } = await ask(repo);
      const reported = sources.map((source) => body.sources[source]);
      const read = combination.filter((status) => status === 'ok').length;
      expect(reported.map(({ status }) => status)).toEqual([...combination]);
      expect(reported.map(({ open_count }) => open_count)).toEqual(combination.map((one) => (one === 'ok' ? 2 : null)));
      expect([body.partial, body.any_readable, body.total_open]).toEqual([
        read < 3,
        read > 0,
        read > 0 ? 2 * read : null,
      ]);
      expect(body.needs_scope).toBe(combination.includes('forbidden'));
    });
    expect(await Promise.all(answers)).toHaveLength(64);
  });
});
