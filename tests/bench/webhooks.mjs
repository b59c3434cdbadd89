// Signed deliveries a second, every one of a new run and answered after its commit, against the same server on
// deliveries it only verifies and parses, and a bare one that does the same; in turns, each in a process of its own.
// node tests/bench/webhooks.mjs [rounds] [seconds]
import { fork } from 'node:child_process';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import net from 'node:net';
import { join } from 'node:path';
import { namedWorld } from '../codehost-double/named-world.ts';
import { runEvent, webhookSecret } from '../codehost-double/webhook.ts';
import { latestRuns, repositoryOf } from '../codehost-double/world.ts';
import { createDatabase } from '../support/created-databases.ts';
import { findPrograms, startServer } from '../support/postgres.ts';
import { print } from './made.mjs';
import { benchEnvironment, median } from './served.mjs';

const repositories = 20;
const bytes = 9800;

let made = 0;

/** A payload as it is on the wire, of a run that was never seen; only its number differs from one to the next. */
const templates = Array.from({ length: repositories }, (_, index) => {
  const repository = repositoryOf(namedWorld(), 'octo/web');
  const facts = { ...repository.facts, id: 60_000 + index, repo: `made-${index}` };
  const [run] = latestRuns(repository);
  const event = runEvent({ ...repository, facts }, { ...run, id: 1_000_000_000_001 });
  const text = JSON.stringify({ ...event, padding: '' });
  const whole = JSON.stringify({ ...event, padding: 'x'.repeat(Math.max(0, bytes - text.length)) });
  return whole.split('1000000000001');
});

if (process.argv[2] === 'bare') serveBare();
else await compare(Number(process.argv[2] ?? 3), Number(process.argv[3] ?? 2));

/** Verifies the signature, parses, and answers. */
function serveBare() {
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const given = Buffer.from(request.headers['x-hub-signature-256'].slice(7), 'hex');
    if (!timingSafeEqual(given, createHmac('sha256', webhookSecret).update(body).digest())) throw new Error('unsigned');
    const { action } = JSON.parse(body);
    const answer = JSON.stringify({ ok: true, run_id: 1, action, alerts_fired: 0 });
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length }).end(answer);
  });
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
  process.once('disconnect', () => process.exit());
}

async function compare(rounds, seconds) {
  const programs = findPrograms();
  const postgres = programs && (await startServer(programs));
  const stops = [];
  const begin = async (script, args, env) => {
    const child = fork(script, args, { env: { ...process.env, ...env } });
    stops.push(() => child.kill());
    const [port] = await once(child, 'message');
    return port;
  };
  const service = async (more) => {
    const { env, remove } = await benchEnvironment({
      CODEHOST_WEBHOOK_SECRET: webhookSecret,
      SCHEDULER: 'off',
      ...more,
    });
    stops.push(remove);
    return begin(join(import.meta.dirname, '../api/sync/killed-service.ts'), [], env);
  };
  try {
    const onPostgres = postgres && (await service({ DATABASE_URL: await createDatabase(postgres.socket) }));
    const traced =
      postgres &&
      (await service({ DATABASE_URL: await createDatabase(postgres.socket), OTLP_ENDPOINT: 'http://127.0.0.1:9' }));
    const embedded = await service({});
    const variants = [
      {
        label: 'bare server, verified and parsed',
        port: await begin(import.meta.filename, ['bare'], {}),
        event: 'push',
      },
      { label: 'verified and parsed (limit)', port: onPostgres || embedded, event: 'push' },
      ...(onPostgres ? [{ label: 'kept in PostgreSQL', port: onPostgres, event: 'workflow_run' }] : []),
      ...(traced
        ? [{ label: 'kept in PostgreSQL, and noted for a destination of traces', port: traced, event: 'workflow_run' }]
        : []),
      { label: 'kept in the embedded database, on disk', port: embedded, event: 'workflow_run' },
    ];
    for (const connections of [1, 64, 256]) await measure(variants, connections, rounds, seconds * 1000);
  } finally {
    for (const stop of stops) stop();
    await postgres?.stop();
  }
}

async function measure(variants, connections, rounds, ms) {
  const found = new Map(variants.map(({ label }) => [label, []]));
  for (const one of variants) await load(one, connections, ms / 4);
  for (let round = 0; round < rounds; round++)
    for (const one of variants) found.get(one.label).push(await load(one, connections, ms));
  const of = (label, key) => median(found.get(label).map((one) => one[key]));
  const limit = of('verified and parsed (limit)', 'rate');
  const table = {};
  for (const { label } of variants)
    table[label] = {
      'deliveries/s': Math.round(of(label, 'rate')),
      'x limit': Number((of(label, 'rate') / limit).toFixed(2)),
      'p50 ms': Number(of(label, 'p50').toFixed(1)),
      'p99 ms': Number(of(label, 'p99').toFixed(1)),
    };
  print(`${connections} connections, ${bytes} bytes, median of ${rounds} interleaved rounds of ${ms / 1000} s`, table);
}

function nextRequest(event) {
  const number = ++made;
  const body = Buffer.from(templates[number % repositories].join(String(1_000_000_000_000 + number)));
  const signature = createHmac('sha256', webhookSecret).update(body).digest('hex');
  const head =
    `POST /api/webhooks/codehost HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n` +
    `x-github-event: ${event}\r\nx-github-delivery: ${process.pid}-${number}\r\n` +
    `x-hub-signature-256: sha256=${signature}\r\ncontent-length: ${body.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}

/** As many sockets as there are connections, each with one delivery under way; written by hand to leave the cores to the server. */
async function load({ port, event }, connections, ms) {
  const from = performance.now();
  const took = [];
  const loop = () =>
    new Promise((done, failed) => {
      const socket = net.connect(port, '127.0.0.1');
      socket.setNoDelay(true);
      let sentAt = 0;
      let text = '';
      const send = () => {
        sentAt = performance.now();
        socket.write(nextRequest(event));
      };
      socket.on('connect', send).on('error', failed);
      socket.on('data', (chunk) => {
        text += chunk.latin1Slice();
        const end = text.indexOf('\r\n\r\n');
        const length = Number(/content-length: (\d+)/i.exec(text)?.[1]);
        if (end < 0 || text.length < end + 4 + length) return;
        if (!text.startsWith('HTTP/1.1 200')) return failed(new Error(text));
        text = '';
        took.push(performance.now() - sentAt);
        if (performance.now() - from < ms) return send();
        socket.end();
        done();
      });
    });
  await Promise.all(Array.from({ length: connections }, loop));
  const rate = took.length / ((performance.now() - from) / 1000);
  took.sort((a, b) => a - b);
  return { rate, p50: took[Math.floor(took.length / 2)], p99: took[Math.floor(took.length * 0.99)] };
}
