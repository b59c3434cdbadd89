import { once } from 'node:events';
import { connect } from 'node:net';

export interface Heard {
  status: number;
  head: string;
  body: string;
}

/** Sends bytes to a server over a connection of its own, chunk by chunk while they are taken, and reads what comes until the end. */
export async function talk(url: string, chunks: Iterable<string | Buffer>): Promise<Heard> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let heard = '';
  socket.setEncoding('latin1').on('data', (chunk) => {
    heard += chunk;
  });
  const closed = new Promise((resolve) => socket.once('close', resolve));
  let isOver = false;
  void closed.then(() => {
    isOver = true;
  });
  socket.on('error', () => undefined);
  for (const chunk of chunks) {
    if (isOver) break;
    if (!socket.write(chunk)) await Promise.race([once(socket, 'drain').catch(() => undefined), closed]);
  }
  await closed;
  const [head = '', ...body] = heard.split('\r\n\r\n');
  return {
    status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]),
    head: head.toLowerCase(),
    body: body.join('\r\n\r\n'),
  };
}

export const requestHead = (first: string, headers: Record<string, string> = {}) =>
  `${[first, ...Object.entries({ Host: 'localhost', Connection: 'close', ...headers }).map((pair) => pair.join(': '))]
    .map((line) => `${line}\r\n`)
    .join('')}\r\n`;
