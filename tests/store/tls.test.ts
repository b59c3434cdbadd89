import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect as connectSocket, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createLog } from '../../server/platform/log.ts';
import { connect } from '../../server/store/connection.ts';
import { toDatabase } from '../../server/store/database.ts';
import { certificate, expired, key } from '../support/certificates.ts';

const socket = inject('postgres');
let folder: string;
const servers: Server[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'certificates-'));
  writeFileSync(join(folder, 'valid.pem'), certificate);
  writeFileSync(join(folder, 'expired.pem'), expired);
});
afterAll(async () => {
  for (const server of servers) server.close();
  await rm(folder, { recursive: true });
});

/** The PostgreSQL of this run behind TLS under this certificate, for those who ask for it; nobody else is let in. */
async function encrypted(cert: string): Promise<number> {
  const server = createServer(async (plain: Socket) => {
    plain.on('error', () => undefined);
    const [first] = (await once(plain, 'data')) as [Buffer];
    if (first.readInt32BE(4) !== sslRequest) return plain.destroy();
    plain.write('S');
    const secure = new TLSSocket(plain, { isServer: true, key, cert });
    const behind = connectSocket(join(socket as string, '.s.PGSQL.5432'));
    for (const one of [secure, behind]) one.on('error', () => plain.destroy());
    secure.pipe(behind).pipe(secure);
  });
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** The code in the first message of a client that wants TLS. */
const sslRequest = 80_877_103;

async function usersBy(port: number, query: string): Promise<unknown> {
  const url = `postgres://postgres@localhost:${port}/postgres${query}`;
  const connection = await connect({ url, log: createLog('silent'), poolMax: 1, statementTimeoutMs: 5000 });
  try {
    return await toDatabase(connection.orm).query('select current_user as name');
  } finally {
    await connection.close();
  }
}

const trusting = (file: string) => `?sslmode=verify-full&sslrootcert=${encodeURIComponent(join(folder, file))}`;

test.skipIf(socket === null)(
  'PostgreSQL is reached by TLS as DATABASE_URL says, under a valid certificate only',
  async () => {
    const port = await encrypted(certificate);
    expect(await usersBy(port, trusting('valid.pem'))).toEqual([{ name: 'postgres' }]);
    await expect(usersBy(port, '')).rejects.toThrow(/terminated/);
    await expect(usersBy(await encrypted(expired), trusting('expired.pem'))).rejects.toThrow(/certificate has expired/);
  },
);
