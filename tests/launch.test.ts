import { spawn } from 'node:child_process';
import fs from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const server = resolve(import.meta.dirname, '../server');
// A plain script without types.
const { choosePort } = await import(join(server, 'launch-port.mjs'));

let said: string[] = [];
const say = (line: string) => said.push(line);

beforeEach(() => {
  said = [];
});

/** Holds a port of this machine, a free one for 0, while it is used. */
const occupied = async (port: number, use: (port: number) => Promise<unknown>) => {
  const other = net.createServer();
  await new Promise<void>((listening, rejected) => other.once('error', rejected).listen(port, '127.0.0.1', listening));
  await use((other.address() as AddressInfo).port).finally(() => new Promise((closed) => other.close(closed)));
};

const freePort = async () => {
  let free = 0;
  await occupied(0, async (port) => {
    free = port;
  });
  return free;
};

describe('the port', () => {
  test('requested is used when free and rejected with a sentence when not', async () => {
    await occupied(0, async (port) => {
      await expect(choosePort(String(port), '127.0.0.1', say)).rejects.toThrow(`port ${port} (PORT) is in use`);
    });
    const free = await freePort();
    expect(await choosePort(String(free), '127.0.0.1', say)).toBe(free);
    expect(said).toEqual([]);
  });

  test.each(['abc', '0', '70000', '80.5'])('%j is not a port', async (request) => {
    await expect(choosePort(request, '127.0.0.1', say)).rejects.toThrow('PORT must be a whole number from 1 to 65535');
  });

  test('of habit gives way to the next free one and says so', async () => {
    const chosen = await choosePort(undefined, '127.0.0.1', say);
    said = [];
    await occupied(chosen, async () => {
      expect(await choosePort(undefined, '127.0.0.1', say)).toBeGreaterThan(chosen);
    });
    expect(said.join(' ')).toContain('Port 3000 is in use by another program');
  });
});

describe('the launched server', () => {
  const serving = `import http from 'node:http';
const server = http.createServer((request, response) => response.end(process.env.APP_URL));
export const listen = (port, host) => new Promise((listening) => server.listen(port, host, listening));
process.once('SIGTERM', () => server.close());
`;
  let root = '';
  const put = (name: string, text: string) => {
    fs.mkdirSync(dirname(join(root, name)), { recursive: true });
    fs.writeFileSync(join(root, name), text);
  };

  beforeEach(() => {
    root = fs.mkdtempSync(join(tmpdir(), 'launch-'));
    for (const name of ['launch.mjs', 'launch-port.mjs'])
      put(`server/${name}`, fs.readFileSync(join(server, name), 'utf8'));
    put('package.json', '{ "type": "module" }');
  });
  afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

  const launch = (port: number, whenReady?: (kill: () => void) => unknown) => {
    const env = { PATH: process.env.PATH, PORT: String(port), HOST: '127.0.0.1' };
    const child = spawn(process.execPath, ['server/launch.mjs'], { cwd: root, env });
    let output = '';
    let logged = '';
    child.stdout.on('data', (chunk: Buffer) => {
      logged += chunk;
    });
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk;
      if (output.includes('Ctrl-C')) whenReady?.(() => child.kill('SIGTERM'));
    });
    return new Promise<{ code: number | null; output: string }>((ended, failed) => {
      child.once('close', (code) =>
        logged ? failed(new Error(`Not of the log: ${logged}`)) : ended({ code, output }),
      );
    });
  };

  test('says where it answers, knows its own origin, and stops on SIGTERM', async () => {
    put('build/server/index.js', serving);
    const port = await freePort();
    let answer = '';
    const outcome = await launch(port, async (kill) => {
      answer = await fetch(`http://127.0.0.1:${port}/`).then((response) => response.text());
      kill();
    });
    expect(outcome.code).toBe(0);
    expect(outcome.output).toContain(`Ready: http://localhost:${port}\n`);
    expect(answer).toBe(`http://localhost:${port}`);
    const compiled = fs.readdirSync(join(root, 'build/server/compiled'), { recursive: true, withFileTypes: true });
    expect(
      compiled.filter((entry) => entry.isFile()),
      'for the next start',
    ).not.toEqual([]);
  });

  test('that refuses to start says why in one line', async () => {
    put('build/server/index.js', `throw new Error('SESSION_SECRET must be set');`);
    expect(await launch(await freePort())).toEqual({ code: 1, output: 'Cannot start: SESSION_SECRET must be set\n' });
  });

  test('that is not built says so', async () => {
    const { code, output } = await launch(await freePort());
    expect([code, output]).toEqual([1, expect.stringContaining('the application is not built')]);
  });

  test('whose port is taken says so', async () => {
    put('build/server/index.js', '');
    await occupied(0, async (port) => {
      const { code, output } = await launch(port);
      expect([code, output]).toEqual([1, expect.stringMatching(/^Cannot start: port \d+ \(PORT\) is in use.*\n$/)]);
    });
  });
});
