// Writes a migration from the snapshot to the entities, and renews the snapshot: npm run migration:create -- <name>
// Then add it to `migrations/list.ts`. What entities cannot express (functions, triggers, rows) is in `sql/`.
import { fileURLToPath } from 'node:url';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import { openMemory } from '../embedded/database.ts';
import { entities } from './entities/all.ts';

const folder = fileURLToPath(new URL('../../migrations', import.meta.url));
const embedded = await openMemory();
const orm = new MikroORM({
  entities: [...entities],
  extensions: [Migrator],
  dbName: 'postgres',
  ensureDatabase: false,
  schemaGenerator: { disableForeignKeys: false },
  migrations: { path: folder, pathTs: folder, emit: 'ts', snapshotName: '.snapshot', disableForeignKeys: false },
  driverOptions: { user: 'postgres', database: 'postgres', stream: () => embedded.connect(), max: 1 },
});
await orm.connect();
const { fileName } = await orm.migrator.create(undefined, false, false, process.argv[2]);
console.log(fileName === '' ? 'The entities and the snapshot agree.' : `Wrote migrations/${fileName}`);
await orm.close();
await embedded.close();
