import { z } from 'zod';

/**
 * The values of a query, a path or a form, which knows texts only, as the types that an operation declares for them.
 * A text that represents no value of its type stays as it is, and is rejected later. What is no text is left alone.
 */
export function parsedValues(
  { shape }: z.ZodObject,
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => {
      const declared = Object.hasOwn(shape, key) ? shape[key] : undefined;
      return [key, typeof value === 'string' && declared ? parsedText(declared, value) : value];
    }),
  );
}

function parsedText(declared: z.core.$ZodType, text: string): unknown {
  const schema = givenTo(declared);
  if (schema instanceof z.ZodNumber) return (schema.isInt ? integer : decimal).test(text) ? Number(text) : text;
  if (schema instanceof z.ZodBoolean) return yesOrNo.get(text) ?? text;
  return text;
}

const integer = /^-?\d+$/;
const decimal = /^-?\d+(\.\d+)?$/;
const yesOrNo = new Map([
  ['true', true],
  ['false', false],
]);

/** The schema that a value meets first, whether or not it is optional. */
function givenTo(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return givenTo(schema.unwrap());
  if (schema instanceof z.ZodPipe && !(schema.in instanceof z.ZodTransform)) return givenTo(schema.in);
  return schema;
}

/** Whether a field takes a list, so that a form may name it several times. */
export const takesList = (declared: z.core.$ZodType): boolean => givenTo(declared) instanceof z.ZodArray;
