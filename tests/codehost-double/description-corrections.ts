import type { Parameter } from './description.ts';

/**
 * Where the platform is known to answer otherwise than its own description says.
 * Each correction is a fact that clients must live with.
 */

type Schema = Record<string, unknown>;

/** Properties that can be null although the description says they cannot: the account or the fork was deleted. */
const canBeNull: Record<string, string[]> = {
  'workflow-run': ['actor', 'triggering_actor', 'head_repository', 'run_started_at'],
};

/** Quantities are said to be whole; those of storage are fractions. */
const usageReports: ReadonlySet<string> = new Set(['billing-usage-report', 'billing-usage-report-user']);

/** `created` takes the search syntax, not a bare instant. */
const dateOrInstant = String.raw`(\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d))?)`;
const createdSyntax = String.raw`^((>=|<=|>|<)?${dateOrInstant}|(\*|${dateOrInstant})\.\.(\*|${dateOrInstant}))$`;

export function correctedSchema(name: string, schema: Schema): Schema {
  if (usageReports.has(name)) return JSON.parse(JSON.stringify(schema).replaceAll('"integer"', '"number"'));
  const nullable = canBeNull[name];
  if (!nullable) return schema;
  const properties = { ...(schema.properties as Record<string, Schema>) };
  for (const key of nullable) properties[key] = { anyOf: [properties[key] ?? {}, { type: 'null' }] };
  return { ...schema, properties };
}

export function correctedParameters(operationId: string, parameters: Parameter[]): Parameter[] {
  if (!operationId.startsWith('actions/list-workflow-runs')) return parameters;
  return parameters.map((one) =>
    one.name === 'created' ? { ...one, schema: { type: 'string', pattern: createdSyntax } } : one,
  );
}
