import { afterAll, afterEach, beforeAll } from 'vitest';
import type { TestDatabase } from '../support/database.ts';
import { type MailDouble, startMailDouble } from '../support/mail-double.ts';
import { type Service, startService } from '../support/service.ts';
import { type Ready, servicesOf } from './stage.ts';

/** A service that reports alerts, with what its emails go out through; for the tests of a block. */
export function mailStage(given: TestDatabase) {
  const stage = {
    mail: null as unknown as MailDouble,
    service: null as unknown as Service,
    services: null as unknown as Ready,
  };
  beforeAll(async () => {
    stage.mail = await startMailDouble();
    const url = await given.migrated();
    const { keys, url: mailUrl } = stage.mail;
    stage.service = await startService({
      DATABASE_URL: url,
      SLACK_WEBHOOK_HOSTS: '127.0.0.1',
      WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
      APP_URL: 'http://localhost:3000',
      RESEND_API_KEY: keys.resend,
      RESEND_FROM: 'alerts@codehost.example',
      RESEND_API_URL: mailUrl,
    });
    stage.services = servicesOf(stage.service.app);
  });
  afterEach(() => stage.mail.reset());
  afterAll(async () => {
    await stage.service?.close();
    await stage.mail?.close();
  });
  return stage;
}
