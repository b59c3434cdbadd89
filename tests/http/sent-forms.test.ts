import { expect, test, vi } from 'vitest';
import type { Context } from '../../server/access/context.ts';
import { memoryAnswers } from '../../server/facts/answers.ts';
import { type Outcome, submitOnce } from '../../server/http/sent-forms.ts';
import { createBackgroundWork } from '../../server/platform/background-work.ts';
import { readEnv } from '../../server/platform/env.ts';
import { noon } from '../store/world.ts';

const env = readEnv({ NODE_ENV: 'test', SESSION_SECRET: 'k3Jd92lsQpeR8vTz0xWn5yBcGhUaFmXo' });

function open() {
  const clock = { at: noon, now: () => clock.at };
  const answers = memoryAnswers(clock);
  const [stopping, gone] = [new AbortController(), new AbortController()];
  const background = createBackgroundWork();
  const services = { answers, clock, env, background, stopping: stopping.signal };
  const context = { requestId: 'r', actor: async () => ({ id: 7 }), services, signal: gone.signal };
  const stop = async () => {
    stopping.abort();
    await background.ended();
  };
  let made = 0;
  const make = async (): Promise<Outcome> => {
    made++;
    const number = made;
    await new Promise((resolve) => setTimeout(resolve, 20));
    return { status: 200, data: { rejected: null, done: { intent: 'link', result: { number } } } };
  };
  const send = (fields: object, carryOut: () => Promise<Outcome | Response> = make) => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ intent: 'link', ...fields })) form.set(name, value);
    return submitOnce(form, context as unknown as Context, carryOut) as Promise<Outcome>;
  };
  return { clock, answers, send, made: () => made, leave: () => gone.abort(), stop };
}

test('a form that is sent twice at once makes one, which both answers show', async () => {
  const { send, made } = open();
  const answers = await Promise.all([1, 2, 3].map(() => send({ drawn: '1', days: '7' })));
  expect(made()).toBe(1);
  for (const { status, data } of answers) expect([status, data.done?.result]).toEqual([200, { number: 1 }]);
  expect((await send({ drawn: '2', days: '7' })).data.done?.result).toEqual({ number: 2 });
});

test('the same form with other choices is a conflict, and so is a late reload', async () => {
  const { send, made, clock } = open();
  await send({ drawn: '1', days: '7' });
  const other = await send({ drawn: '1', days: '90' });
  expect([other.status, other.data.rejected?.problem.code]).toEqual([409, 'edit_conflict']);
  clock.at += 60_001;
  const late = await send({ drawn: '1', days: '7' });
  expect([late.status, late.data.rejected?.problem.code, made()]).toEqual([409, 'edit_conflict', 1]);
});

test('what was rejected or failed may be sent again', async () => {
  const { send, made } = open();
  const rejected = {
    intent: 'link',
    problem: { error: 'no', code: 'invalid_request' as const, request_id: 'r' },
    values: {},
  };
  await send({ drawn: '1' }, async () => ({ status: 400, data: { rejected, done: null } }));
  await expect(
    send({ drawn: '1' }, async () => {
      throw new Error('gone');
    }),
  ).rejects.toThrow('gone');
  expect([(await send({ drawn: '1', days: '30' })).status, made()]).toEqual([200, 1]);
});

/** A press that is carried out when it is told to. */
function held() {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const rejected = {
    intent: 'link',
    problem: { error: 'no', code: 'invalid_request' as const, request_id: 'r' },
    values: {},
  };
  return { carryOut: () => promise, fail: () => resolve({ status: 400, data: { rejected, done: null } }) };
}

test('a press with other choices waits for the first, and is carried out where that one made nothing', async () => {
  const { send, made } = open();
  const { carryOut, fail } = held();
  const first = send({ drawn: '1', days: '7' }, carryOut);
  const other = send({ drawn: '1', days: '90' });
  await new Promise((resolve) => setTimeout(resolve, 150));
  fail();
  expect([(await first).status, (await other).status, made()]).toEqual([400, 200, 1]);
});

test('a press that has waited long says that it is not known what came of the first', async () => {
  const { send, made, clock } = open();
  const { carryOut, fail } = held();
  const first = send({ drawn: '1' }, carryOut);
  const second = send({ drawn: '1' });
  await new Promise((resolve) => setTimeout(resolve, 20));
  clock.at += 30_001;
  const { status, data } = await second;
  expect([status, made()]).toEqual([409, 0]);
  expect(data.rejected?.problem.error).toContain('not known yet');
  fail();
  await first;
});

test('a press whose sender went away waits no more', async () => {
  const { send, leave } = open();
  const { carryOut, fail } = held();
  const first = send({ drawn: '1' }, carryOut);
  const second = send({ drawn: '1' });
  setTimeout(leave, 20);
  await expect(second).rejects.toThrow('aborted');
  fail();
  await first;
});

test('what is shown again is stored no longer than that, nor than the process lives', async () => {
  const { send, stop, answers, clock } = open();
  await send({ drawn: '1' });
  const shown = () => answers.get('sent:7:link:1:shown');
  expect(await shown()).not.toBeNull();
  clock.at += 1;
  await stop();
  expect(await shown()).toBeNull();
});

test('a form that takes longer than a minute is carried out once', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const { send, made, clock } = open();
    const { carryOut, fail } = held();
    const first = send({ drawn: '1' }, carryOut);
    await new Promise((resolve) => setTimeout(resolve, 20));
    for (let passed = 0; passed < 120_000; passed += 20_000) {
      clock.at += 20_000;
      await vi.advanceTimersByTimeAsync(20_000);
    }
    const second = send({ drawn: '1' });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(made()).toBe(0);
    fail();
    expect([(await first).status, (await second).status, made()]).toEqual([400, 200, 1]);
  } finally {
    vi.useRealTimers();
  }
});
