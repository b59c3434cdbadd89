import { setTimeout as sleep } from 'node:timers/promises';

/** Of a report that is given in part where a slow machine takes longer than somebody waits: JSON, and a page. */
const unfinished = /"computing":true|"reason":"not_yet_read"|\d of \d+ so far|, updating|Syncing\.<\/strong>/;

const mostTries = 100;

/** Asks until nothing is read behind the answer any more; what has not ended by then is answered as it is. */
export async function finished<Answer extends { text: string }>(ask: () => Promise<Answer>): Promise<Answer> {
  let answer = await ask();
  for (let tries = 1; tries < mostTries && unfinished.test(answer.text); tries++) {
    await sleep(100);
    answer = await ask();
  }
  return answer;
}
