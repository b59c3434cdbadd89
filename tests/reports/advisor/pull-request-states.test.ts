import { expect, test } from 'vitest';
import { advisorVerdicts } from '../../../jobs/advisor-verdicts.ts';
import { inTimeLeft } from '../../../server/api/sync/cron.ts';
import { readPullRequestStates } from '../../../server/reports/advisor-results/pull-request-states.ts';

/** So many open pull requests, all merged by now, of which so many requests are answered. */
function aHundredAndTwenty({ answers = 3, seconds = 3 }: { answers?: number; seconds?: number }) {
  const stored: string[] = [];
  let requests = 0;
  const open = Array.from({ length: 120 }, (_unused, index) => ({
    operationId: `operation-${index}`,
    number: index + 1,
    owner: 'octo',
    repo: 'web',
    repositoryId: 1,
  }));
  const reading = readPullRequestStates({
    store: { advisorPullRequests: { open: async () => open, become: async (id) => void stored.push(id) } },
    codehost: {
      async pullRequestStates(addresses) {
        if (++requests > answers) throw new Error('No answer.');
        return addresses.map(() => ({ state: 'merged', mergedAt: 1, mergeCommit: null }));
      },
    },
    mayContinue: () => requests < seconds,
  });
  return { reading, stored };
}

test('what a request answered is stored before the next is sent', async () => {
  const { reading, stored } = aHundredAndTwenty({ answers: 2 });
  await expect(reading).rejects.toThrow('No answer.');
  expect(stored).toHaveLength(100);
});

test('no request is begun when the time is up', async () => {
  const { reading, stored } = aHundredAndTwenty({ seconds: 1 });
  expect(await reading).toEqual({ read: 50, merged: 50 });
  expect(stored).toHaveLength(50);
  expect(await aHundredAndTwenty({}).reading).toEqual({ read: 120, merged: 120 });
});

test('a call of the nightly synchronization gives it the time that is left, while one request fits', () => {
  expect(inTimeLeft(advisorVerdicts, 280_000)).toEqual(advisorVerdicts);
  expect(inTimeLeft(advisorVerdicts, 60_900.5)).toMatchObject({ seconds: 50, hardSeconds: 60 });
  expect(inTimeLeft(advisorVerdicts, 11_000)).toMatchObject({ seconds: 1, hardSeconds: 11 });
  expect(inTimeLeft(advisorVerdicts, 10_000)).toBeNull();
});
