import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

/** An email as a relay got it. */
export interface Received {
  from: string;
  to: string[];
  isEncrypted: boolean;
  raw: string;
  parsed: ParsedMail;
}

export interface SmtpDouble {
  /** Host and port. */
  host: string;
  emails: Received[];
  /** Passwords that somebody said. */
  passwords: string[];
  close(): Promise<void>;
}

interface Options {
  /** Without it nobody needs to say who they are. */
  login?: { user: string; password: string };
  /** Does not offer encryption. */
  plain?: boolean;
  /** Refuses every recipient, or every email after its data, with this reply. */
  reject?: { at: 'recipient' | 'data'; code: number; message: string };
}

/** A real relay, which keeps what it is given. */
export async function startSmtp({ login, plain = false, reject: refuse }: Options = {}): Promise<SmtpDouble> {
  const emails: Received[] = [];
  const passwords: string[] = [];
  const error = refuse && Object.assign(new Error(refuse.message), { responseCode: refuse.code });
  const server = new SMTPServer({
    authOptional: !login,
    disabledCommands: plain ? ['STARTTLS'] : [],
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, done) {
      passwords.push(password ?? '');
      if (username === login?.user && password === login?.password) done(null, { user: username });
      else done(Object.assign(new Error('Authentication credentials invalid'), { responseCode: 535 }));
    },
    onRcptTo: (_address, _session, done) => done(refuse?.at === 'recipient' ? error : undefined),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        const raw = Buffer.concat(chunks);
        const { mailFrom, rcptTo } = session.envelope;
        emails.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          isEncrypted: session.secure,
          raw: raw.toString('utf8'),
          parsed: await simpleParser(raw),
        });
        done(refuse?.at === 'data' ? error : undefined);
      });
    },
  });
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    host: `127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    emails,
    passwords,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** A port that takes connections and never says a word. */
export async function startSilence(): Promise<{ host: string; close(): Promise<void> }> {
  const server = createServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sockets = new Set<{ destroy(): void }>();
  server.on('connection', (socket) => sockets.add(socket));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
