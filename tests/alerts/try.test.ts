import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { tryRule } from '../../server/alerts/try.ts';
import type { AlertRuleValues } from '../../server/store/alert-rules.ts';
import { eachDatabase } from '../support/database.ts';
import { type MailDouble, startMailDouble } from '../support/mail-double.ts';
import { migratedMemory } from '../support/migrated.ts';
import { type Service, startService } from '../support/service.ts';
import { addRule, repository, servicesOf } from './stage.ts';

eachDatabase((given) => {
  describe('a test of a rule', () => {
    let mail: MailDouble;
    let service: Service;
    let services: ReturnType<typeof servicesOf>;
    beforeAll(async () => {
      mail = await startMailDouble();
      const url = given.name === 'embedded' ? await migratedMemory() : await given.address();
      service = await startService({
        ...{ DATABASE_URL: url, SLACK_WEBHOOK_HOSTS: '127.0.0.1', APP_URL: 'http://localhost:3000' },
        ...{ RESEND_API_KEY: mail.keys.resend, RESEND_FROM: 'alerts@codehost.example', RESEND_API_URL: mail.url },
      });
      services = servicesOf(service.app);
      await repository(services, 1);
    });
    afterEach(() => mail.reset());
    afterAll(async () => {
      await service?.close();
      await mail?.close();
    });

    const byMail = { channel: 'email', destination: 'ann@codehost.example' } as const;
    /** What came of the test, what went out, and the event that it left. */
    const tried = async (more: Partial<AlertRuleValues>) => {
      const handed = await tryRule(await addRule(services, more), services);
      const [event] = await services.store.alertEvents.list(1);
      return { handed, body: mail.requests.at(-1)?.body, event };
    };

    test.each([
      ['email', 'repo:octo/repo-1', 'Octo/repo-1', '/repos/Octo/repo-1'],
      ['digest', 'repo:octo/repo-1', 'Octo/repo-1', null],
      ['email', 'repo:octo/elsewhere', 'octo/elsewhere', null],
      ['email', 'org:octo', 'octo', null],
    ] as const)('by %s of %s names %s', async (channel, scope, named, page) => {
      const { handed, body, event } = await tried({ ...byMail, channel, scope });
      expect(handed).toMatchObject({ ok: true });
      expect(body.subject).toMatch(/^Test: /);
      expect(body.text).toContain(named);
      expect(body.text).not.toContain(scope);
      expect(event).toMatchObject({
        isTest: true,
        deliveryStatus: 'sent',
        repo: named === 'Octo/repo-1' ? named : null,
      });
      if (page) expect(body.text).toContain(`http://localhost:3000${page}`);
    });

    test('by Slack says that it is one in the line that is shown alone, too', async () => {
      const destination = `${mail.url}/services/T0/B0/secret`;
      mail.trouble({ status: 200, body: 'ok' });
      const { handed, body } = await tried({ channel: 'slack', destination });
      expect(handed).toEqual({ ok: true });
      expect(body.text).toMatch(/^Test: Octo\/repo-1: /);
      expect(body.blocks[0].text.text).toMatch(/test/i);
    });

    test('that is refused is told in full, and kept without addresses', async () => {
      mail.trouble({ status: 422, body: '{"message":"ann@codehost.example is suppressed"}' });
      const { handed, event } = await tried(byMail);
      expect(handed).toMatchObject({ ok: false, error: expect.stringContaining('ann@codehost.example is suppressed') });
      expect(event?.deliveryStatus).toBe('failed');
      expect(event?.deliveryError).toContain('a•••@codehost.example is suppressed');
      expect(event?.deliveryError).not.toContain('ann@');
    });
  });
});
