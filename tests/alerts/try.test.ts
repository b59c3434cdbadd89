import { beforeAll, describe, expect, test } from 'vitest';
import { tryRule } from '../../server/alerts/try.ts';
import type { AlertRuleValues } from '../../server/store/alert-rules.ts';
import { aDatabase } from '../support/a-database.ts';
import { mailStage } from './mail-stage.ts';
import { addRule, repository } from './stage.ts';

aDatabase((given) => {
  describe('a test of a rule', () => {
    const stage = mailStage(given);
    beforeAll(() => repository(stage.services, 1));

    const byMail = { channel: 'email', destination: 'ann@codehost.example' } as const;
    /** What came of the test, what went out, and the event that it left. */
    const tried = async (more: Partial<AlertRuleValues>) => {
      const handed = await tryRule(await addRule(stage.services, more), stage.services);
      const [event] = await stage.services.store.alertEvents.list(1);
      return { handed, body: stage.mail.requests.at(-1)?.body, event };
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
      const destination = `${stage.mail.url}/stage.services/T0/B0/secret`;
      stage.mail.trouble({ status: 200, body: 'ok' });
      const { handed, body } = await tried({ channel: 'slack', destination });
      expect(handed).toEqual({ ok: true });
      expect(body.text).toMatch(/^Test: Octo\/repo-1: /);
      expect(body.blocks[0].text.text).toMatch(/test/i);
    });

    test('that is rejected is reported in full, and stored without addresses', async () => {
      stage.mail.trouble({ status: 422, body: '{"message":"ann@codehost.example is suppressed"}' });
      const { handed, event } = await tried(byMail);
      expect(handed).toMatchObject({ ok: false, error: expect.stringContaining('ann@codehost.example is suppressed') });
      expect(event?.deliveryStatus).toBe('failed');
      expect(event?.deliveryError).toContain('a•••@codehost.example is suppressed');
      expect(event?.deliveryError).not.toContain('ann@');
    });
  });
});
