import { createServer as createPlain, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { certificate, expired, key } from './certificates.ts';

/** One question that a provider received. */
export interface Received {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  /** The bytes of the body as text, and the JSON in them. */
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a request is looked into freely by tests.
  body: any;
}

/** What a provider answers with: a text in its protocol, or trouble. */
export type ProviderAnswer =
  | { text: string; usage?: { prompt: number; completion: number } | null; afterMs?: number }
  | { status: number; headers?: Record<string, string>; raw?: string }
  | 'silence'
  | 'broken';

/** A provider that speaks the messages protocol and chat completions, over real HTTP. */
export interface AiDouble {
  url: string;
  received: Received[];
  /** Answers for the next questions, in this order; afterwards and before it writes `usual`. */
  next(...answers: ProviderAnswer[]): void;
  usual: string;
  /** Forgets what was received and what was to be answered. */
  reset(): void;
  close(): Promise<void>;
}

const usual = JSON.stringify({ summary: 'Deployments go out daily.' });

/** Starts a provider; with `secure` behind https, under a certificate that this process trusts from now on. */
export async function startAiDouble({ secure = false, isExpired = false } = {}): Promise<AiDouble> {
  const received: Received[] = [];
  const answers: ProviderAnswer[] = [];
  const double = { usual };
  const listen = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const { method = '', url: path = '', headers } = request;
    received.push({ method, path, headers, text, body: text === '' ? null : JSON.parse(text) });
    answer(path, answers.shift() ?? { text: double.usual }, response);
  };
  const cert = isExpired ? expired : certificate;
  const server = secure ? createSecure({ key, cert }, listen) : createPlain(listen);
  if (secure) setDefaultCACertificates([...getCACertificates('default'), cert]);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  return Object.assign(double, {
    url: `${secure ? 'https' : 'http'}://127.0.0.1:${port}/v1`,
    received,
    next: (...more: ProviderAnswer[]) => void answers.push(...more),
    reset() {
      received.length = 0;
      answers.length = 0;
      double.usual = usual;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  });
}

function answer(path: string, given: ProviderAnswer, response: ServerResponse): void {
  if (given === 'silence') return;
  if (given === 'broken') {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"id":');
    setImmediate(() => response.destroy());
    return;
  }
  if ('status' in given) {
    const headers = { 'content-type': 'application/json', ...given.headers };
    response.writeHead(given.status, headers).end(given.raw ?? '{"error":{"message":"no","type":"refused"}}');
    return;
  }
  const { text, usage = { prompt: 100, completion: 20 }, afterMs = 0 } = given;
  const body = path.endsWith('/messages') ? message(text, usage) : completion(text, usage);
  setTimeout(() => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }, afterMs);
}

type Usage = { prompt: number; completion: number } | null;

const message = (text: string, usage: Usage) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'a-model',
  content: [{ type: 'text', text }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: usage?.prompt ?? 0, output_tokens: usage?.completion ?? 0 },
});

const completion = (text: string, usage: Usage) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_780_000_000,
  model: 'a-model',
  choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
  ...(usage && {
    usage: {
      prompt_tokens: usage.prompt,
      completion_tokens: usage.completion,
      total_tokens: usage.prompt + usage.completion,
    },
  }),
});
