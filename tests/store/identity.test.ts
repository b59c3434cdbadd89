import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planLink } from '../../server/store/identity-plan.ts';
import type { Store } from '../../server/store/orm.ts';
import { eachDatabase } from '../support/database.ts';
import { noon } from './world.ts';

const by = (login = 'ann') => ({ actor: { id: 1, login }, requestId: null, now: noon });
const pairsOf = async ({ identity }: Store) =>
  (await identity.links()).map(({ alias, primary }) => `${alias}→${primary}`);

/** The main login at the end of whatever was said, followed by hand. */
const people = fc.constantFrom('a', 'b', 'c', 'd', 'E');
const wishes = fc.array(fc.record({ alias: people, primary: people, isDistinct: fc.boolean() }), { maxLength: 25 });

test('however links and marks follow each other, no primary is an alias and no marked pair is linked', () => {
  fc.assert(
    fc.property(wishes, (wanted) => {
      let links: { alias: string; primary: string }[] = [];
      const distinct: { a: string; b: string }[] = [];
      const main = (login: string) => links.find(({ alias }) => alias === login)?.primary ?? login;
      for (const { alias, primary, isDistinct } of wanted) {
        if (isDistinct) {
          if (alias !== primary && main(alias) !== main(primary)) distinct.push({ a: alias, b: primary });
          continue;
        }
        const plan = planLink({ links, distinct }, { alias, primary });
        if (plan.outcome !== 'possible') continue;
        const moved = new Set(plan.changes.map(({ login }) => login));
        links = [
          ...links.filter((one) => !moved.has(one.alias)),
          ...[...moved].map((login) => ({ alias: login, primary: plan.primary })),
        ];
        const aliases = new Set(links.map((one) => one.alias));
        expect(links.filter((one) => aliases.has(one.primary))).toEqual([]);
        expect(main(alias)).toBe(main(primary));
        for (const { a, b } of distinct) expect([a, b, main(a)]).not.toEqual([a, b, main(b)]);
      }
    }),
    { numRuns: 500 },
  );
});

eachDatabase((given) => {
  test('chains are flat, however they were asked for', async () => {
    const store = await given.open();
    const names = Array.from({ length: 20 }, (_, n) => `p${String(n).padStart(2, '0')}`);
    for (const [index, alias] of names.slice(1).entries())
      await store.identity.link({ alias, primary: names[index] ?? '' }, by());
    expect(await pairsOf(store)).toEqual(names.slice(1).map((alias) => `${alias}→p00`));
    const moved = await store.identity.link({ alias: 'P00', primary: 'Main' }, by());
    expect(moved).toMatchObject({ outcome: 'possible', primary: 'Main', isNew: true });
    expect(await pairsOf(store)).toEqual(['P00→Main', ...names.slice(1).map((alias) => `${alias}→Main`)]);
    const entries = await store.audit.list({
      limit: 100,
      before: null,
      categories: ['identity'],
      actor: null,
      action: 'identity.moved',
    });
    expect(entries.map(({ target, before, after }) => `${target} ${before} ${after}`).sort()).toEqual(
      names.slice(1).map((name) => `${name} p00 Main`),
    );
  });

  test('many who link at once never make a chain or a circle', async () => {
    const { store, database } = await given.openRaw();
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const wishes = names.flatMap((alias) => names.map((primary) => ({ alias, primary })));
    const plans = await Promise.all(wishes.map((wish) => store.identity.link(wish, by())));
    expect(plans.filter(({ outcome }) => outcome === 'same_login')).toHaveLength(6);
    const [chains] = await database.query<{ count: number }>(
      'select count(*)::int as count from identity_links l join identity_links p on p.alias_key = l.primary_key',
    );
    expect(chains?.count).toBe(0);
    const links = await store.identity.links();
    expect(new Set(links.map(({ primary }) => primary)).size).toBe(1);
    expect(links).toHaveLength(5);
    expect(await store.audit.broken()).toBeNull();
  });

  test('of a link and a mark of the same two at once, one is rejected', async () => {
    const store = await given.open();
    for (let turn = 0; turn < 10; turn++) {
      const [alias, primary] = [`x${turn}`, `y${turn}`];
      const [linked, marked] = await Promise.all([
        store.identity.link({ alias, primary }, by()),
        store.identity.markDistinct({ a: alias, b: primary }, by()),
      ]);
      const outcomes = [linked.outcome, marked.outcome];
      expect([
        ['possible', 'already_linked'],
        ['marked_distinct', 'done'],
      ]).toContainEqual(outcomes);
    }
  });

  test('a pair is one whichever way round it is said, and in whatever letters', async () => {
    const store = await given.open();
    const mark = (a: string, b: string) => store.identity.markDistinct({ a, b }, by());
    expect(await mark('😀', 'ﬀ')).toMatchObject({ outcome: 'done', isNew: true, pair: { a: 'ﬀ', b: '😀' } });
    expect(await mark('ﬀ', '😀')).toMatchObject({ outcome: 'done', isNew: false });
    expect(await mark('Robot[bot]', 'robot')).toEqual({ outcome: 'same_login' });
    expect((await store.identity.listed()).distinct).toEqual([{ a: 'ﬀ', b: '😀', createdBy: 'ann', createdAt: noon }]);
    expect(await store.identity.unmarkDistinct({ a: '😀', b: 'ﬀ' }, by())).toEqual({ a: 'ﬀ', b: '😀' });
    expect(await store.identity.unmarkDistinct({ a: '😀', b: 'ﬀ' }, by())).toBeNull();
  });
});
