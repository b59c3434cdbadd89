/** An instant sent as epoch milliseconds, as the database keeps it. */
export const fromMs = (parameter: string) => `to_timestamp(${parameter}::float8 / 1000)`;

/** A kept instant as epoch milliseconds. */
export const toMs = (column: string) => `round(date_part('epoch', ${column}) * 1000)`;

/** JSON without what the database refuses in a text, NUL and half a surrogate pair: U+FFFD stands for them. */
export const storable = (json: string) =>
  json.replace(/(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g, '$1\\ufffd');
