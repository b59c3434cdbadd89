import { describe, expect, test } from 'vitest';
import { visitSite } from './visited-site.ts';

const visit = visitSite();

describe('what was done', () => {
  test.each([
    ['/settings?saved=hiding', 'Preferences saved'],
    ['/settings/ai?saved=ai', 'AI settings saved'],
    ['/settings/email?saved=email', 'Saved.'],
    ['/settings/team?saved=workday', 'Saved.'],
    ['/settings/working-habits?saved=thresholds', 'Saved.'],
    ['/settings/session?ended=yes', 'Session ended'],
    ['/alerts?done=deleted', 'Rule deleted'],
  ])('is not said by an address alone: %s', async (path, claim) => {
    const { status, content: words } = await visit.read(path);
    expect(status).toBe(200);
    expect(words).not.toContain(claim);
  });

  test('is said to who did it, where it led them, for a while', async () => {
    const csrf = /name="csrf" value="([^"]+)"/.exec((await visit.read('/settings')).text)?.[1] ?? '';
    const sent = await visit.site.visit('/settings', { cookie: visit.ann, form: { csrf, shown: 'alerts' } });
    expect([sent.status, sent.location]).toEqual([303, '/settings?saved=hiding']);
    expect((await visit.read(sent.location)).content).toContain('Preferences saved');
    expect((await visit.read(`${sent.location}&more=1`)).content).not.toContain('Preferences saved');
    const bo = await visit.site.signIn('token-bo');
    expect((await visit.read(sent.location, bo)).content).not.toContain('Preferences saved');
  });
});
