import { expect, it } from 'vitest';
import { parseJson } from '../../../server/codehost/client/json-text.ts';
import { clientOf, platformOfEachTest, wireRepository, wireRun } from '../platform.ts';

const web = { owner: 'octo', repo: 'web' };
const platform = platformOfEachTest();

it('control characters and half surrogate pairs of a REST answer become U+FFFD, line breaks stay', async () => {
  const description = 'nul \0 escape \u001b next line \u0085 half \ud83d whole 👩‍💻 tab \t and\r\n';
  platform.handler = (_seen, answer) => answer.json(200, wireRepository({ description }));
  expect((await clientOf(platform.url).codehost.repositories.get(web)).description).toBe(
    'nul \ufffd escape \ufffd next line \ufffd half \ufffd whole 👩‍💻 tab \t and\r\n',
  );
});

it('so do those of names inside of lists', async () => {
  const actor = { login: 'mo\0na', avatar_url: '\u0007', type: 'User' };
  const run = wireRun({ name: 'C\bI', head_branch: 'ma\fin', actor });
  platform.handler = (_seen, answer) => answer.json(200, { total_count: 1, workflow_runs: [run] });
  const { items } = await clientOf(platform.url).codehost.runs.ofWorkflow(web, 5, 10);
  expect(items[0]).toMatchObject({
    workflowName: 'C\ufffdI',
    headBranch: 'ma\ufffdin',
    actor: { login: 'mo\ufffdna' },
  });
});

it('so do those of GraphQL answers', async () => {
  const title = 'nul \0';
  platform.handler = (_seen, answer) =>
    answer.json(200, { data: { repository: { name: 'web', owner: { login: 'octo' }, p4: { title } } } });
  expect(await clientOf(platform.url).codehost.pullRequests.titles(web, [4])).toEqual(new Map([[4, 'nul \ufffd']]));
});

it('a backslash that is part of a text changes nothing', () => {
  const value = { regex: '\\b\\u0000', path: 'C:\\new', list: [null, 1, true, 'x\\\\d83d'] };
  expect(parseJson(JSON.stringify(value))).toEqual(value);
});
