import { expect, test } from 'vitest';
import { eachDatabase } from '../support/database.ts';
import { day, hour, noon, repository } from './world.ts';

eachDatabase((given) => {
  test('a repository that cannot be reached is marked from the first error on, until it is read again', async () => {
    const { repositories } = await given.open();
    const id = await repositories.track(repository(1, 'web'), 'ann', noon);
    const other = await repositories.track(repository(2, 'api'), 'ann', noon);
    const known = () => repositories.find({ id: 1 });
    expect(await known()).toMatchObject({ unreachableSince: null, lastErrorCode: null });
    expect(await repositories.unreachable(id, 'not_found', noon + hour)).toBe(noon + hour);
    expect(await repositories.unreachable(id, 'legally_blocked', noon + day)).toBe(noon + hour);
    expect(await known()).toMatchObject({
      id,
      tracked: true,
      unreachableSince: noon + hour,
      lastErrorCode: 'legally_blocked',
    });
    const marks = (await repositories.tracked()).map((one) => [one.id, one.unreachableSince]);
    expect(marks, 'it stays in the list of tracked ones').toEqual([
      [other, null],
      [id, noon + hour],
    ]);
    await repositories.track(repository(1, 'web'), 'bo', noon + 2 * day);
    expect(await known(), 'to ask for it is not yet to have read it').toMatchObject({ unreachableSince: noon + hour });
    await repositories.reachable(id);
    expect(await known()).toMatchObject({ tracked: true, unreachableSince: null, lastErrorCode: null });
    expect(await repositories.unreachable(id, 'not_found', noon + 3 * day)).toBe(noon + 3 * day);
  });
  test('when one was created is known from the first reading that says so', async () => {
    const { repositories } = await given.open();
    const [unsaid, createdAt] = [repository(1, 'web'), noon - 20 * day];
    await repositories.known(unsaid);
    const known = async () => (await repositories.find({ id: 1 }))?.codehostCreatedAt;
    expect(await known()).toBeNull();
    await repositories.known({ ...unsaid, createdAt });
    expect(await known()).toBe(createdAt);
    await repositories.track(unsaid, 'ann', noon);
    expect(await known(), 'what says nothing takes nothing away').toBe(createdAt);
  });
});
