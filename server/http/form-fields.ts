import { z } from 'zod';
import type { Operation } from '../api/operation.ts';

/** What an operation requires of a field, as the control of a form takes it. Patterns are checked by the server alone. */
export interface FieldRules {
  required: boolean;
  min?: number;
  max?: number;
  maxLength?: number;
}

/** The rules of an operation's fields by their names, from its input schema. */
export function formFields(operation: Pick<Operation, 'input'>): Record<string, FieldRules> {
  const schema = z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' });
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, property]) => [
      name,
      toFieldRules(property, schema.required?.includes(name) ?? false),
    ]),
  );
}

type Property = Exclude<z.core.JSONSchema._JSONSchema, boolean>;

function toFieldRules(property: z.core.JSONSchema._JSONSchema, required: boolean): FieldRules {
  if (typeof property === 'boolean') return { required };
  const { minimum, maximum, maxLength } = withoutNull(property);
  return {
    required,
    ...(minimum !== undefined && { min: minimum }),
    ...(maximum !== undefined && { max: maximum }),
    ...(maxLength !== undefined && { maxLength }),
  };
}

/** The rules of a field that may be null are those of its value. */
function withoutNull(property: Property): Property {
  const value = property.anyOf?.find((one) => typeof one !== 'boolean' && one.type !== 'null');
  return typeof value === 'object' ? value : property;
}
