import { describe, expect, test } from 'vitest';
import { type AnswerCache, memoryAnswers, storedAnswers } from '../../server/facts/answers.ts';
import { hour, minute, noon } from '../store/world.ts';
import { eachDatabase } from '../support/database.ts';

/** A clock that is set by hand. */
const handClock = () => {
  const clock = { at: noon, now: () => clock.at };
  return clock;
};

const value = { score: 0.5, note: 'ünï \\u0000', list: [1, null, { deep: true }], none: null };

function keepsAnswers(open: () => Promise<{ repository: AnswerCache; clock: ReturnType<typeof handClock> }>) {
  test('an answer is there until it expires', async () => {
    const { repository: answers, clock } = await open();
    expect(await answers.get('scorecard octo')).toBeNull();
    await answers.put('scorecard octo', value, noon - 7, noon + hour);
    expect(await answers.get('scorecard octo')).toEqual({ value, madeAt: noon - 7 });
    expect(await answers.get('scorecard')).toBeNull();
    clock.at = noon + hour - 1;
    expect(await answers.get('scorecard octo')).toEqual({ value, madeAt: noon - 7 });
    clock.at = noon + hour;
    expect(await answers.get('scorecard octo')).toBeNull();
  });

  test('a later answer replaces an earlier one, never the other way round', async () => {
    const { repository: answers } = await open();
    await answers.put('later', 1, noon, noon + hour);
    await answers.put('later', null, noon + minute, noon + hour);
    await answers.put('later', 3, noon - minute, noon + hour);
    expect(await answers.get('later')).toEqual({ value: null, madeAt: noon + minute });
  });

  test('of several that claim a key at once one has it, until it expires', async () => {
    const { repository: answers, clock } = await open();
    const claim = (by: number) => answers.claim('form', by, clock.at, clock.at + minute);
    const claimed = await Promise.all([1, 2, 3, 4].map(claim));
    expect(claimed.filter(Boolean)).toHaveLength(1);
    expect((await answers.get('form'))?.value).toBe(claimed.indexOf(true) + 1);
    clock.at = noon + minute - 1;
    expect(await claim(5)).toBe(false);
    clock.at = noon + minute;
    expect(await claim(6)).toBe(true);
    // Given back at once.
    await answers.put('form', null, clock.at, clock.at);
    expect([await answers.get('form'), await claim(7)]).toEqual([null, true]);
  });

  test('what is done with an answer does not change what is stored', async () => {
    const { repository: answers } = await open();
    const mine = structuredClone(value);
    await answers.put('mine', mine, noon, noon + hour);
    mine.list.push(2);
    (await answers.get<typeof value>('mine'))?.value.list.push(3);
    expect(await answers.get('mine')).toEqual({ value, madeAt: noon });
  });
}

describe('in memory', () => {
  keepsAnswers(async () => {
    const clock = handClock();
    return { repository: memoryAnswers(clock), clock };
  });

  test('the answers longest not requested make room', async () => {
    const repository = memoryAnswers(handClock(), 300);
    const long = 'x'.repeat(90);
    for (const key of ['a', 'b', 'c']) await repository.put(key, long, noon, noon + hour);
    await repository.get('a');
    await repository.put('d', long, noon, noon + hour);
    expect(await repository.get('b')).toBeNull();
    for (const key of ['a', 'c', 'd']) expect(await repository.get(key)).toEqual({ value: long, madeAt: noon });
    await repository.put('a', 'x'.repeat(400), noon + 1, noon + hour);
    expect(await repository.get('a')).toBeNull();
  });
});

eachDatabase((given) => {
  let opened: ReturnType<typeof given.openForAll> | undefined;
  keepsAnswers(async () => {
    opened ??= given.openForAll();
    const clock = handClock();
    return { repository: storedAnswers(await opened, clock), clock };
  });

  test('expired answers are forgotten', async () => {
    const { store, database } = await given.openRaw();
    await store.answers.put('old', 1, noon, hour);
    await store.answers.put('new', 2, noon, hour + 1);
    expect(await store.forgetExpired(noon + hour + 1)).toBe(1);
    expect(await database.query('select key from cached_answers')).toEqual([{ key: 'new' }]);
  });
});
