import { p, Type } from '@mikro-orm/core';

/** Epoch milliseconds in the program, `timestamptz` in the database. Both know instants before and after all others. */
class InstantType extends Type<number | null, string | null> {
  override convertToDatabaseValue(value: number | null) {
    if (value === null || value === undefined) return null;
    if (Math.abs(value) === Number.POSITIVE_INFINITY) return value < 0 ? '-infinity' : 'infinity';
    return new Date(value).toISOString();
  }
  override convertToJSValue(value: string | number | Date | null) {
    if (value === null || value === undefined) return null;
    if (/^-?infinity$/i.test(String(value)))
      return String(value).startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
    return new Date(value).getTime();
  }
  override compareAsType() {
    return 'number';
  }
  override getColumnType() {
    return 'timestamptz';
  }
  override get runtimeType() {
    return 'number';
  }
}

/** An instant: epoch milliseconds. */
export const instant = () => p.type(InstantType).$type<number>();

/** A calendar day, `YYYY-MM-DD`. */
export const day = () => p.date().$type<string>();

/** An array of numbers, `bigint[]` in the database. */
export const bigIntegers = () => p.array(Number).columnType('bigint[]').$type<number[]>();

/** An array of numbers, `int[]` in the database. */
export const integers = () => p.array(Number).columnType('int[]').$type<number[]>();

/** A `double precision`, which the ORM would take for a text or a number. */
export const double = () => p.double().$type<number>();
