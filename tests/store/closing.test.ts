import { expect, test } from 'vitest';
import { eachDatabase } from '../support/database.ts';

eachDatabase((database) => {
  test('a store that is closed while connections are being made ends all the same', async () => {
    for (let round = 0; round < 5; round++) {
      const store = await database.open();
      // As many as there are connections: whether they get one or not is not what this is about.
      for (let id = 0; id < 10; id++) store.repositories.find({ id }).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, round));
      await store.close();
      await expect(store.repositories.find({ id: 1 })).rejects.toThrow();
    }
  });
});
