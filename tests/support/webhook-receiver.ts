import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { onTestFinished, vi } from 'vitest';

export interface ReceivedWebhook {
  headers: IncomingHttpHeaders;
  /** Exactly what came. */
  body: string;
}

type Answer = { status: number; headers?: Record<string, string> } | 'endless' | 'hang';

/** An endpoint for webhooks that keeps requests, closed after the test. */
export async function openWebhookReceiver() {
  const receiver = {
    url: '',
    requests: [] as ReceivedWebhook[],
    answer: { status: 200 } as Answer,
    /** What happens elsewhere before the answer is sent. */
    onRequest: async (): Promise<unknown> => undefined,
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    receiver.requests.push({ headers: request.headers, body: Buffer.concat(chunks).toString('utf8') });
    await receiver.onRequest();
    if (receiver.answer === 'hang') return;
    if (receiver.answer !== 'endless')
      return void response.writeHead(receiver.answer.status, receiver.answer.headers).end('thanks');
    response.writeHead(200);
    const writing = setInterval(() => response.write('x'.repeat(16_384)), 1);
    response.on('close', () => clearInterval(writing));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return receiver;
}

/** Verifies a request as a receiver does, at the moment it was sent. @throws where the signature is wrong. */
export function verifyWebhook(secret: string, { headers, body }: ReceivedWebhook): unknown {
  vi.setSystemTime(Number(headers['webhook-timestamp']) * 1000);
  try {
    return new Webhook(secret).verify(body, headers as Record<string, string>);
  } finally {
    vi.useRealTimers();
  }
}
