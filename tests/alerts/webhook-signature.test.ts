import { expect, test } from 'vitest';
import { createWebhookSecret } from '../../server/alerts/channels/webhook-secret.ts';
import { signedHeaders } from '../../server/alerts/channels/webhook-signature.ts';
import { verifyWebhook } from '../support/webhook-receiver.ts';

test.each([
  {
    vector: 'V17',
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: 1614265330,
    body: '{"test": 2432232314}',
    signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
  {
    vector: 'V18',
    secret: 'whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=',
    id: 'evt_41',
    timestamp: 1795341600,
    body: '{"type":"alert.fired","timestamp":"2026-11-22T10:00:00Z","data":{"event_id":41}}',
    signature: 'v1,16MLgPDjGQa7V79goM9d3NIWH2/2RUo8nUmaDGuJEug=',
  },
])('$vector', ({ secret, id, timestamp, body, signature }) => {
  const headers = signedHeaders({ id, body }, [secret], timestamp * 1000 + 999);
  expect(headers).toEqual({
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signature,
  });
  expect(verifyWebhook(secret, { headers, body })).toEqual(JSON.parse(body));
});

test('a secret is 32 random bytes', () => {
  const secrets = [createWebhookSecret(), createWebhookSecret()];
  for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(secrets[0]).not.toBe(secrets[1]);
});

test('what was changed on the way is not verified', () => {
  const secret = createWebhookSecret();
  const headers = signedHeaders({ id: 'evt_1', body: '{}' }, [secret], Date.now());
  expect(() => verifyWebhook(secret, { headers, body: '{ }' })).toThrow();
  expect(() => verifyWebhook(createWebhookSecret(), { headers, body: '{}' })).toThrow();
});
