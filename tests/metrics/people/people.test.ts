import { describe, expect, test } from 'vitest';
import { createPeople } from '../../../server/metrics/people/people.ts';
import { anActor } from '../delivery-builders.ts';

const people = createPeople(
  [
    { alias: 'ana-old', primary: 'ana' },
    { alias: 'ana maria', primary: 'ana' },
  ],
  ['own-ci'],
);

describe('people', () => {
  test('are one person under every spelling and linked login', () => {
    expect(people.isSame(anActor('Ana'), anActor('ANA-OLD'))).toBe(true);
    expect(people.isSame(anActor('ana'), anActor('anabel'))).toBe(false);
  });

  test('that deleted their account are nobody in particular, and human', () => {
    expect(people.isSame(null, null)).toBe(false);
    expect(people.isBot(null)).toBe(false);
  });

  test.each(['dependabot', 'Dependabot[bot]', 'anything[bot]', 'own-ci', 'OWN-CI[bot]', 'web-flow', 'renovate'])(
    'do not include the bot %s',
    (login) => expect(people.isBot({ ...anActor(login), isBot: false })).toBe(true),
  );

  test('are bots when the platform says so, whatever their name, and then nobody else of that name', () => {
    const app = { ...anActor('helper'), isBot: true };
    expect(people.isBot(app)).toBe(true);
    expect(people.isBot(anActor('helper'))).toBe(false);
    expect(people.isSame(app, anActor('helper'))).toBe(false);
    expect(people.isSame(app, anActor('helper[bot]'))).toBe(true);
  });

  test('are shown as their primary spells itself, with the aliases that were seen', () => {
    const roster = people.roster([anActor('ana-old'), null, anActor('Ana'), anActor('ben')]);
    expect([...roster.values()].map(({ login, linkedLogins }) => [login, linkedLogins])).toEqual([
      ['Ana', ['ana-old']],
      ['ben', []],
    ]);
    expect([...people.roster([anActor('Ana-Old')]).values()]).toMatchObject([
      { login: 'ana', linkedLogins: ['Ana-Old'], avatarUrl: 'https://codehost.example/Ana-Old.png' },
    ]);
  });

  test('without an account are known by the name in the commit, unless a link says whose it is', () => {
    const roster = people.authorRoster([
      { author: null, authorName: 'Kim Lee' },
      { author: null, authorName: 'kim lee' },
      { author: null, authorName: 'Ana Maria' },
      { author: null, authorName: 'build[bot]' },
      { author: anActor('ana'), authorName: 'whatever' },
    ]);
    expect([...roster.values()]).toMatchObject([
      { login: 'Kim Lee', unlinkedName: true, isBot: false, linkedLogins: [] },
      { login: 'ana', unlinkedName: false, linkedLogins: ['Ana Maria'] },
      { login: 'build', unlinkedName: true, isBot: true },
    ]);
  });

  test('of whom a linked name is spelled like the account of somebody else stay apart', () => {
    const linked = createPeople([
      { alias: 'ben', primary: 'ana', isName: true },
      { alias: 'renovate', primary: 'ana', isName: true },
      { alias: 'Ana', primary: 'ana', isName: true },
      { alias: 'ben-old', primary: 'ben' },
    ]);
    const named = (authorName: string) => ({ author: null, authorName });
    const ana = linked.toKey(anActor('ana'));
    expect([named('Ben'), named('ana')].map(linked.toAuthorKey)).toEqual([ana, ana]);
    expect(linked.isSame(anActor('ben'), anActor('ana'))).toBe(false);
    expect(linked.isSame(anActor('ben'), anActor('ben-old'))).toBe(true);
    expect(linked.toAuthorKey({ author: anActor('ben'), authorName: 'ben' })).toBe(linked.toKey(anActor('ben-old')));
    const roster = linked.authorRoster([
      named('ben'),
      named('ana'),
      named('ben-old'),
      { author: anActor('ana'), authorName: 'Ana' },
      { author: anActor('ben'), authorName: 'ben' },
    ]);
    expect([...roster.values()].map(({ login, linkedLogins }) => [login, linkedLogins])).toEqual([
      ['ana', ['ben']],
      ['ben', ['ben-old']],
    ]);
  });

  test('are not joined by a name that happens to be somebody’s login', () => {
    const author = { author: null, authorName: 'ben' };
    expect(people.toAuthorKey(author)).not.toBe(people.toKey(anActor('ben')));
  });
});
