import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { AuthorshipSentence, type Summary } from '../../app/routes/org/ai-authorship-shares.tsx';

function sentence(prs: Partial<Record<Summary['classes'][number]['class'], number | null>>): string {
  const classes = (['agent_authored', 'ai_assisted', 'unmarked', 'unread'] as const).map((one) => ({
    class: one,
    prs: prs[one] ?? null,
  }));
  const window = { from: '2026-05', to: '2026-10', timezone: 'UTC' };
  const data = { classes, window, coverage: { read: 1 }, note: 'Note.' } as unknown as Summary;
  return renderToStaticMarkup(<AuthorshipSentence data={data} trend={null} />);
}

test('no marks are found in pull requests that were read, not in those that were not', () => {
  const none = { agent_authored: 0, ai_assisted: 0, unread: 30 };
  expect(sentence({ ...none, unmarked: 60 })).toMatch(/No marks found in 60\spull requests/);
  const hidden = sentence({ ...none, unmarked: null });
  expect(hidden).toContain('is hidden');
  expect(hidden).not.toContain('No marks found');
});
