import { describe, expect, test } from 'vitest';
import { expectFields, visitService } from '../api/endpoints.ts';
import { sourceErrors } from '../codehost-double/security.ts';

const visit = visitService();
const explain = async (metric: string, more = '', repo = 'web') =>
  visit.service.ask('GET', `/api/explain?metric=${metric}&owner=octo&repo=${repo}${more}`, { as: 'token-ann' });

describe('an opened number of security alerts', () => {
  test('names the alerts that count, and those that do not with the reason', async () => {
    const { body } = await explain('open_security_alerts', '&source=dependabot');
    expect(body).toMatchObject({
      label: 'Open security alerts, dependencies',
      value: 2,
      sample: 2,
      window: null,
      partial: false,
      left_out: [
        { reason: 'fixed', count: 2 },
        { reason: 'dismissed', count: 1 },
      ],
    });
    expect(body.counted[1]).toEqual({
      label: 'dependencies #1: Lamp parser runs what it reads',
      at: '2026-10-07T10:00:00.000Z',
      value: null,
      url: 'https://codehost.example/octo/web/security/dependabot/1',
      note: 'critical, lamp-parser',
    });
  });

  test('of one severity has those alone', async () => {
    const { body } = await explain('open_security_alerts', '&severity=critical');
    expect([body.label, body.value]).toEqual(['Open security alerts, critical', 2]);
    for (const { note } of body.counted) expect(note).toMatch(/^critical/);
  });

  test('reports what each fix took', async () => {
    const { body } = await explain('mean_days_to_fix', '&source=dependabot');
    expect(body).toMatchObject({ value: 6, sample: 2, unit: 'days' });
    const values = body.counted.map(({ value }: { value: number }) => value);
    expect((values[0] + values[1]) / 2).toBeCloseTo(6, 1);
    expect((await explain('oldest_open_security_alert')).body.counted).toContainEqual(
      expect.objectContaining({ value: 40 }),
    );
  });

  test('of a source that cannot be read is unknown, never none', async () => {
    const { double } = visit.service;
    for (const [id, repo] of ['half-read', 'unread'].entries()) {
      double.addRepository({ name: `octo/${repo}`, facts: { id: 61_001 + id } });
      double.rejectAlerts(`octo/${repo}`, 'code_scanning', sourceErrors.fineGrained);
    }
    for (const source of ['dependabot', 'secret_scanning'] as const)
      double.rejectAlerts('octo/unread', source, sourceErrors.unavailable);
    const of = async (metric: string, more = '', repo = 'half-read') => {
      const { body, headers } = await explain(metric, more, repo);
      return [body.value, body.partial, headers.get('x-partial')];
    };
    expect(await of('open_security_alerts', '&source=code_scanning')).toEqual([null, true, 'true']);
    expect(await of('fixed_security_alerts', '&source=code_scanning')).toEqual([null, true, 'true']);
    expect(await of('open_security_alerts', '&source=dependabot')).toEqual([0, false, 'true']);
    expect(await of('open_security_alerts')).toEqual([0, true, 'true']);
    expect(await of('open_security_alerts', '', 'unread')).toEqual([null, true, 'true']);
  });

  test('of no such source or severity is rejected', async () => {
    expectFields(await explain('open_security_alerts', '&source=mail'), ['source', 'invalid']);
    expectFields(await explain('open_security_alerts', '&severity=odd'), ['severity', 'invalid']);
  });
});
