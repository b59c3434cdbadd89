import { expect, test } from 'vitest';
import { repositoryOf } from '../../codehost-double/world.ts';
import { withDouble } from '../double.ts';
import { errorOf } from '../platform.ts';

const world = withDouble();
const web = { owner: 'octo', repo: 'web' };
const requireChecks = (byRules: string[], byProtection: string[]) =>
  Object.assign(repositoryOf(world.double.world, 'octo/web'), { requiredChecks: { byRules, byProtection } });

test('checks of rules and of the older protection are required, each once', async () => {
  requireChecks(['test', 'lint'], ['lint', 'build']);
  const { codehost, sent } = world.as();
  expect((await codehost.requiredChecks(web, 'main')).names).toEqual(['test', 'lint', 'build']);
  expect(sent).toHaveLength(2);
  world.advance(6 * 3_600_000 - 1);
  await codehost.requiredChecks({ owner: 'OCTO', repo: 'Web' }, 'main');
  expect(sent).toHaveLength(2);
});

test('without rules and protection none is required', async () => {
  expect(await world.as().codehost.requiredChecks(web, 'main')).toMatchObject({ names: [], stale: false });
});

test('a denied answer of the rules is not requested again within an hour', async () => {
  world.double.fault({ path: '/repos/octo/web/rules/branches/main', times: 2 }, { kind: 'status', status: 403 });
  const { codehost, sent } = world.as();
  const requested = () => sent.filter(({ operation }) => operation === 'rules of a branch').length;
  expect((await errorOf(codehost.requiredChecks(web, 'main'))).code).toBe('upstream_forbidden');
  const before = requested();
  world.advance(3_600_000 - 1);
  expect((await errorOf(codehost.requiredChecks(web, 'main'))).code).toBe('upstream_forbidden');
  expect(requested()).toBe(before);
});

test('what cannot be read is an error, not an absence', async () => {
  world.double.fault({ path: '/repos/octo/web/rules/branches/main', times: 2 }, { kind: 'status', status: 403 });
  expect((await errorOf(world.as().codehost.requiredChecks(web, 'main'))).code).toBe('upstream_forbidden');
  world.double.fault(
    { path: '/graphql', times: 2 },
    { kind: 'failing_field', field: 'Ref.refUpdateRule', type: 'FORBIDDEN' },
  );
  expect((await errorOf(world.as('token-ann-two').codehost.requiredChecks(web, 'main'))).code).toBe(
    'upstream_forbidden',
  );
});
