import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import { expectFields, visitService } from '../api/endpoints.ts';
import { anyDatabase } from '../support/service.ts';
import { addRule, bring, endedRuns, servicesOf } from './stage.ts';

const path = '/api/alerts';
/** The last of thirty days, and none before. */
const lately = (...last: (number | null)[]) => [...Array.from({ length: 30 - last.length }, () => null), ...last];

describe('how rules went', () => {
  const visit = visitService({ DATABASE_URL: anyDatabase });
  const ask = (method: string, body?: object, query = '') =>
    visit.service.ask(method, path + query, { as: 'token-ann', ...(body && { body }) });
  const add = async (body: object) => (await ask('POST', body)).body.rule;

  test('the highest value of each of thirty days is reported unrounded, and in one cell of a table', async () => {
    const services = servicesOf(visit.service.app);
    // Past the door, which the repository of the stage is behind.
    const { id } = await addRule(services, { scope: 'repo:octo/repo-1', threshold: 95 });
    const digest = await add({
      scope: 'org:octo',
      metric: 'leadership_digest',
      destination: 'a@codehost.example',
    });
    await bring(services, endedRuns(services, 6, 2));
    visit.service.clock.advance(2 * 86_400_000);
    await bring(services, endedRuns(services, 8, 7));
    const { rules } = (await ask('GET')).body;
    expect(rules).toMatchObject([
      { id, highest_by_day: lately(100 / 3, null, 87.5), last_value: 87.5, has_reached: false },
      { id: digest.id, highest_by_day: lately() },
    ]);
    const { text } = await ask('GET', undefined, '?format=csv');
    const { data, errors } = Papa.parse<Record<string, string>>(text.replace(/^\ufeff/, '').trim(), { header: true });
    expect(errors).toEqual([]);
    expect(data.map((row) => JSON.parse(row.highest_by_day ?? ''))).toEqual(
      rules.map((rule: { highest_by_day: unknown }) => rule.highest_by_day),
    );
    expect(data[0]).toMatchObject({ last_value: '87.5', health: 'ok' });
  });

  test('the weekly email has no threshold and no window to change, and needs no tracked repository', async () => {
    const digest = await add({ scope: 'org:octo', metric: 'leadership_digest', destination: 'a@codehost.example' });
    expect(digest.health).not.toBe('scope_unreachable');
    expect(digest).toMatchObject({ threshold: 0, window_hours: 168 });
    for (const field of ['threshold', 'window_hours', 'min_sample'])
      expectFields(await ask('PATCH', { id: digest.id, [field]: 7 }), [field, 'invalid']);
    expectFields(await ask('PATCH', { id: digest.id, destination: 'a••••@x.example' }), ['destination', 'invalid']);
  });
});
