import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { describe, expect, test } from 'vitest';
import { namedNow, namedWorld } from '../codehost-double/named-world.ts';
import { delivered, runEvent, webhookSecret } from '../codehost-double/webhook.ts';
import { repositoryOf } from '../codehost-double/world.ts';
import { changesOf } from '../codehost-double/world-changes.ts';
import { aDatabaseByChance } from '../support/a-database.ts';
import { openTestStore } from '../support/database.ts';
import { processScript } from '../support/process-script.ts';
import { rounds } from '../support/rounds.ts';

const kills = rounds('WEBHOOK_KILLS', 1, 10);
const connections = 16;
const world = namedWorld();
const name = 'octo/web';

/** The delivery of a run of its own; the same every time it is requested. */
function deliveryOf(id: number) {
  const run = changesOf(world).putRun(name, { id, createdAt: namedNow });
  return delivered(runEvent(repositoryOf(world, name), run), { delivery: `delivery-${id}` });
}

async function begin(url: string): Promise<{ child: ChildProcess; port: number }> {
  const env = {
    NODE_ENV: 'test',
    SESSION_SECRET: 'k3Jd92lsQpeR8vTz0xWn5yBcGhUaFmXo',
    LOG_LEVEL: 'silent',
    SCHEDULER: 'off',
    DATABASE_URL: url,
    CODEHOST_WEBHOOK_SECRET: webhookSecret,
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  };
  const child = fork(processScript(join(import.meta.dirname, '../api/sync/killed-service.ts')), { env });
  const [port] = await once(child, 'message');
  return { child, port };
}

/** What the service says to a delivery; null when it is killed meanwhile. */
async function post(pool: Pool, id: number): Promise<{ duplicate?: true; run_id?: number } | null> {
  const { body, headers } = deliveryOf(id);
  const answer = await pool
    .request({ method: 'POST', path: '/api/webhooks/codehost', body, headers })
    .then(async ({ statusCode, body }) => ({ statusCode, result: await body.json() }))
    .catch(() => null);
  if (!answer) return null;
  expect(answer.statusCode).toBe(200);
  return answer.result as { duplicate?: true; run_id?: number };
}

aDatabaseByChance((given) => {
  describe('a process killed while deliveries pour in', () => {
    test(
      `${kills} times, loses nothing that it acknowledged, and takes nothing twice`,
      async () => {
        const url = await given.address();
        /** By the id of its run: whether the delivery was acknowledged. */
        const sent = new Map<number, boolean>();
        let nextId = 1;
        for (let killed = 0; killed < kills; killed++) {
          const { child, port } = await begin(url);
          const pool = new Pool(`http://127.0.0.1:${port}`, { connections });
          const before = [...sent.values()].filter(Boolean).length;
          let isOver = false;
          const pour = async () => {
            while (!isOver) {
              const id = nextId++;
              sent.set(id, false);
              const reported = await post(pool, id);
              if (!reported) return;
              expect(reported.run_id).toBe(id);
              sent.set(id, true);
            }
          };
          const pouring = Promise.all(Array.from({ length: connections }, pour));
          // A life that acknowledged nothing would have nothing to lose.
          const acknowledged = () => [...sent.values()].filter(Boolean).length >= before + 20;
          const ended = pouring.then(() => Promise.reject(new Error('The service ended by itself.')));
          ended.catch(() => undefined);
          while (!acknowledged()) await Promise.race([sleep(5), ended]);
          await sleep(Math.random() * 60);
          child.kill('SIGKILL');
          await once(child, 'exit');
          isOver = true;
          await pouring;
          await pool.destroy();
        }
        const { child, port } = await begin(url);
        const pool = new Pool(`http://127.0.0.1:${port}`, { connections });
        // Delivered again, each is known if it was acknowledged, and taken if it was not, unless its answer got lost.
        let unanswered = 0;
        for (const [id, isAcknowledged] of sent) {
          const reported = await post(pool, id);
          if (isAcknowledged) expect([id, reported?.duplicate]).toEqual([id, true]);
          else unanswered++;
        }
        expect(unanswered).toBeLessThanOrEqual(kills * connections);
        await pool.destroy();
        child.kill('SIGKILL');
        await once(child, 'exit');
        const store = await openTestStore(url, { migrate: false });
        const repoId = (await store.repositories.find(repositoryOf(world, name).facts))?.id ?? 0;
        const ids = (await store.runs.attempts(repoId, { since: 0, limit: 100_000 })).map((run) => run.id);
        expect(ids.sort((a, b) => a - b)).toEqual([...sent.keys()]);
        await store.close();
      },
      90_000 + kills * 30_000,
    );
  });
});
