import { describe, expect, test } from 'vitest';
import { aDatabase } from '../support/a-database.ts';
import { leadershipStage } from './leadership-stage.ts';

const note = 'Unverified: it contains a number that is not in those figures.';

aDatabase((given) => {
  describe('the paragraph of the weekly email', () => {
    const stage = leadershipStage(given);

    test.each([
      ['a number that nobody measured is marked', '4711 repositories are at risk.', true],
      ['a number of its snapshot is not', 'The year is 2026.', false],
    ])('with %s', async (_name, summary, isMarked) => {
      await stage.lead({ scope: 'org:octo' });
      stage.on(1);
      stage.ai.next({ text: JSON.stringify({ summary }) });
      expect(await stage.run()).toMatchObject({ sent: 1 });
      expect(stage.words()).toContain(summary);
      const { text, html } = stage.mail.requests[0]?.body ?? {};
      for (const part of [text, html]) expect(String(part).includes(note)).toBe(isMarked);
    });
  });
});
