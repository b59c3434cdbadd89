import { type RawBuilder, sql } from 'kysely';

/** JSON without what the database rejects in a text, NUL and half a surrogate pair: they become U+FFFD. */
export const storable = (json: string) =>
  json.replace(/(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g, '$1\\ufffd');

/** Any value as `jsonb`. The ORM's own conversion takes null for no value, and keeps what the database rejects. */
export const jsonb = (value: unknown): RawBuilder<unknown> => sql`${storable(JSON.stringify(value))}::jsonb`;
