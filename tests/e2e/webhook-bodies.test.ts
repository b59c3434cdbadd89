import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requestHead } from '../support/raw-http.ts';
import { type Site, startSiteProcess } from '../support/site.ts';

const secret = 'k3Jd92lsQpeR8vTz0xWn5yBcGhUaFmXo';
const path = '/api/webhooks/codehost';
const mebibyte = 1024 * 1024;

let site: Site;
beforeAll(async () => {
  site = await startSiteProcess({ CODEHOST_WEBHOOK_SECRET: secret, NODE_OPTIONS: '--max-old-space-size=512' });
});
afterAll(() => site?.stop());

const delivery = (signature: string, id: string) => ({
  'Content-Type': 'application/json',
  'X-Hub-Signature-256': `sha256=${signature}`,
  'X-GitHub-Event': 'ping',
  'X-GitHub-Delivery': id,
});

/** A delivery that nobody signed, of which the last byte never comes. */
function hold(index: number): Socket {
  const length = 5 * mebibyte;
  const socket = connect(Number(new URL(site.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  const headers = { ...delivery('0'.repeat(64), `held-${index}`), 'Content-Length': String(length) };
  socket.write(requestHead(`POST ${path} HTTP/1.1`, headers));
  socket.write(Buffer.alloc(length - 1, 'x'));
  return socket;
}

async function sendSigned(): Promise<number> {
  const body = JSON.stringify({ zen: 'Keep it logically awesome.' });
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  const headers = delivery(signature, 'signed-1');
  return (await fetch(`${site.url}${path}`, { method: 'POST', headers, body })).status;
}

const peakMemory = () => Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${site.pid}/status`, 'utf8'))?.[1]) / 1024;

test.skipIf(process.platform !== 'linux')(
  'unsigned deliveries together take little memory, and signed ones go on after them',
  async () => {
    await site.visit('/demo');
    const before = peakMemory();
    const answers: string[] = [];
    const sockets = Array.from({ length: 100 }, (_, index) =>
      hold(index).on('data', (data) => {
        answers.push(String(data));
      }),
    );
    // There is room for twelve of them, and for parts of others until those are rejected.
    await expect.poll(() => answers.length).toBeGreaterThanOrEqual(80);
    expect(answers.filter((answer) => !answer.startsWith('HTTP/1.1 429'))).toEqual([]);
    expect(answers[0]).toMatch(/retry-after: 10/i);
    expect(peakMemory() - before).toBeLessThan(200);
    for (const socket of sockets) socket.destroy();
    await expect.poll(sendSigned).toBe(200);
  },
);
