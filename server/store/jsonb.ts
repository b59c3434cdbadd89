import { type RawBuilder, sql } from 'kysely';
import { storable } from './storable.ts';

/** Any value as `jsonb`. The ORM's own conversion takes null for no value, and keeps what the database refuses. */
export const jsonb = (value: unknown): RawBuilder<unknown> => sql`${storable(JSON.stringify(value))}::jsonb`;
