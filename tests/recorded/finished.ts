import { setTimeout as sleep } from 'node:timers/promises';

/** Of a report that is given in part where a slow machine takes longer than somebody waits: JSON, and a page. */
const unfinished = /"computing":true|\d of \d+ so far|, updating|Syncing\.<\/strong>/;
/** Of repositories that are read behind the answer. Answers of what is stored, under `/api/db`, say it for good. */
const unread = /"reason":"not_yet_read"/;

const mostTries = 100;

/** Asks until nothing is read behind the answer any more; what has not ended by then is answered as it is. */
export async function finished<Answer extends { text: string }>(
  path: string,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const isStored = path.startsWith('/api/db/');
  const goesOn = ({ text }: Answer) => unfinished.test(text) || (!isStored && unread.test(text));
  let answer = await ask();
  for (let tries = 1; tries < mostTries && goesOn(answer); tries++) {
    await sleep(100);
    answer = await ask();
  }
  return answer;
}
