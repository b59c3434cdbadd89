import { expect, test } from 'vitest';
import { draftQuery, getUnusualRun, issueDraft } from '../../app/routes/repo/issue-draft.ts';

const home = 'https://codehost.example/octo/web';
const draft = (query: string) => issueDraft(getUnusualRun(new URLSearchParams(query)), home);
const complete =
  'metric=queue_wait&direction=high&severity=extreme&valueMs=600000&expectedMs=60000&limitMs=120000&sample=30&runNumber=7&runId=5010&at=2026-11-16T09:58:00.000Z&event=push&branch=main';

test('a draft holds every fact, with a link to the run and the definition', () => {
  const { title, body } = draft(complete);
  expect(title).toBe('Unusual queue wait: 10 min instead of 1 min in run 7');
  expect(body.split('\n')).toEqual([
    `The queue wait of [run 7](${home}/actions/runs/5010) is unusual.`,
    '',
    '- Took: 10 min',
    '- Expected: 1 min, the median of 30 earlier runs',
    '- Unusual from: 2 min',
    '- Direction: too long',
    '- Severity: extreme',
    '- Created: 2026-11-16T09:58:00.000Z',
    '- Event: `push`',
    '- Branch: `main`',
    '',
    expect.stringMatching(/^How this works: /),
    '',
  ]);
});

test('what is not reported, or not in its form, is excluded rather than made up', () => {
  expect(draft('')).toEqual({ title: '', body: '' });
  expect(draft('metric=bogus&valueMs=1000')).toEqual({ title: '', body: '' });
  const { title, body } = draft(
    'metric=duration&valueMs=600000&expectedMs=-1&sample=x&severity=loud&at=today&runId=1e3',
  );
  expect(title).toBe('Unusual duration: 10 min in a run');
  expect(body).toMatch(/^The duration of a run is unusual\.\n\n- Took: 10 min\n\nHow/);
});

test('a name mentions nobody and breaks out of nothing', () => {
  const branch = '@team` @all\n# Heading';
  const query = draftQuery({ ...getUnusualRun(new URLSearchParams(complete)), branch });
  expect(draft(query.toString()).body).toContain('- Branch: `@team  @all # Heading`\n');
});
