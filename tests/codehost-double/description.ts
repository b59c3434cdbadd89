import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv, type AnySchema, type ValidateFunction } from 'ajv';
import formatsModule from 'ajv-formats';
import { correctedParameters, correctedSchema } from './description-corrections.ts';

/** One parameter of an operation, as the platform's description has it. */
export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: { type?: string; format?: string; enum?: unknown[]; pattern?: string; oneOf?: unknown[] };
}

export interface Operation {
  id: string;
  /** The path with its `{parameters}`. */
  template: string;
  parameters: Parameter[];
  responses: Record<string, Schema>;
  /** Schema of the JSON that is sent; null for operations that take none. */
  body: Schema | null;
}

export interface RouteMatch {
  operation: Operation;
  params: Record<string, string>;
}

/** A part of the description that says what a value looks like. */
export type Schema = Record<string, unknown>;

/** The operation of the description that answers this path, and its path parameters; null when there is none. */
export function matchRoute(method: string, path: string): RouteMatch | null {
  const parts = path.split('/');
  for (const route of routes()) {
    if (route.method !== method.toLowerCase() || route.parts.length !== parts.length) continue;
    const params = matchParts(route.parts, parts);
    if (params) return { operation: operationOf(route), params };
  }
  return null;
}

/** What is wrong with the query, one sentence each; empty when the description allows it. */
export function queryFaults(operation: Operation, query: URLSearchParams): string[] {
  const faults: string[] = [];
  for (const name of new Set(query.keys())) {
    const parameter = operation.parameters.find((one) => one.in === 'query' && one.name === name);
    if (!parameter) faults.push(`${operation.id} has no query parameter "${name}"`);
    else if (query.getAll(name).length > 1) faults.push(`${operation.id}: "${name}" is given twice`);
    else if (!allowed(parameter.schema, query.get(name) ?? ''))
      faults.push(`${operation.id}: "${name}=${query.get(name)}" is not allowed`);
  }
  for (const { name, required, in: where } of operation.parameters)
    if (where === 'query' && required && !query.has(name)) faults.push(`${operation.id}: "${name}" is missing`);
  return faults;
}

/** What is wrong with what was sent; empty when the description allows it, or says nothing of a body. */
export function bodyFaults(operation: Operation, body: string): string[] {
  if (!operation.body) return [];
  const validate = bodyValidators.get(operation) ?? bodyValidatorOf(operation.body);
  bodyValidators.set(operation, validate);
  return validate(JSON.parse(body)) ? [] : [`${operation.id}: ${ajv().errorsText(validate.errors?.slice(0, 5))}`];
}

function bodyValidatorOf(body: Schema): ValidateFunction {
  const { additionalProperties: _, ...schema } = jsonSchema(body) as Schema;
  return ajv().compile({ ...schema, additionalProperties: false });
}

/** What is wrong with a body that is to be sent with this status; null when it is as described. */
export function responseFault(operation: Operation, status: number, body: unknown): string | null {
  const validate = validatorOf(operation, status);
  if (!validate) return `${operation.id} describes no answer with status ${status}`;
  return validate(body) ? null : `${operation.id} ${status}: ${ajv().errorsText(validate.errors?.slice(0, 5))}`;
}

interface Route {
  method: string;
  template: string;
  parts: string[];
}

let description: { paths: Record<string, Record<string, Schema>>; components: Record<string, Record<string, Schema>> };
let routeList: Route[];
let validator: Ajv;
const operations = new Map<string, Operation>();
const validators = new Map<string, ValidateFunction | null>();
const bodyValidators = new WeakMap<Operation, ValidateFunction>();

function described() {
  description ??= JSON.parse(
    readFileSync(
      fileURLToPath(new URL('../../node_modules/@octokit/openapi/generated/api.github.com.json', import.meta.url)),
      'utf8',
    ),
  );
  return description;
}

function routes(): Route[] {
  routeList ??= Object.entries(described().paths)
    .flatMap(([template, item]) =>
      Object.keys(item).map((method) => ({ method, template, parts: template.split('/') })),
    )
    .sort((a, b) => variables(a) - variables(b));
  return routeList;
}

const variables = ({ parts }: Route) => parts.filter((part) => part.startsWith('{')).length;

function matchParts(template: string[], parts: string[]): Record<string, string> | null {
  const params: Record<string, string> = {};
  for (const [index, wanted] of template.entries()) {
    const given = parts[index] ?? '';
    if (wanted.startsWith('{') && given !== '') params[wanted.slice(1, -1)] = decodeURIComponent(given);
    else if (wanted !== given) return null;
  }
  return params;
}

function operationOf({ method, template }: Route): Operation {
  const key = `${method} ${template}`;
  const known = operations.get(key);
  if (known) return known;
  const raw = described().paths[template]?.[method] as Schema;
  const id = String(raw.operationId);
  const parameters = ((raw.parameters ?? []) as Schema[]).map((one) => resolved(one) as unknown as Parameter);
  const responses: Record<string, Schema> = {};
  for (const [status, answer] of Object.entries(raw.responses as Record<string, Schema>)) {
    const content = resolved(answer).content as Record<string, { schema: Schema }> | undefined;
    responses[status] = content?.['application/json']?.schema ?? {};
  }
  const sent = resolved((raw.requestBody ?? {}) as Schema).content as Record<string, { schema: Schema }> | undefined;
  const body = sent?.['application/json']?.schema ?? null;
  const operation = { id, template, parameters: correctedParameters(id, parameters), responses, body };
  operations.set(key, operation);
  return operation;
}

/** The schema that a node stands for, as the platform is known to keep to it. */
export function referred(node: Schema): Schema {
  if (typeof node.$ref !== 'string') return node;
  const name = node.$ref.split('/').pop() ?? '';
  return correctedSchema(name, described().components.schemas?.[name] ?? {});
}

function resolved(node: Schema): Schema {
  if (typeof node.$ref !== 'string') return node;
  const [, , kind = '', name = ''] = node.$ref.split('/');
  return described().components[kind]?.[name] ?? {};
}

function allowed(schema: Parameter['schema'], value: string): boolean {
  if (schema.enum && !schema.enum.includes(value)) return false;
  if (schema.pattern && !new RegExp(schema.pattern).test(value)) return false;
  if (schema.type === 'integer') return /^\d{1,15}$/.test(value);
  if (schema.type === 'boolean') return value === 'true' || value === 'false';
  return schema.format === 'date-time' ? !Number.isNaN(Date.parse(value)) : true;
}

function validatorOf(operation: Operation, status: number): ValidateFunction | null {
  const key = `${operation.id} ${status}`;
  let validate = validators.get(key);
  if (validate === undefined) {
    const described = operation.responses[String(status)];
    // The description leaves out most errors; they all have the same small body.
    const schema = described ?? (status >= 300 ? { $ref: '#/components/schemas/basic-error' } : null);
    validate = schema ? ajv().compile(jsonSchema(schema) as AnySchema) : null;
    validators.set(key, validate);
  }
  return validate;
}

function ajv(): Ajv {
  if (!validator) {
    // Compiled once for each process and used for small bodies: compiling well took longer than all that it checks.
    validator = new Ajv({ strict: false, logger: false, inlineRefs: false, code: { optimize: false } });
    formatsModule.default(validator);
  }
  return validator;
}

/** Turns an OpenAPI 3.0 schema into JSON schema, and makes the components it names known to the validator. */
function jsonSchema(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(jsonSchema);
  if (typeof node !== 'object' || node === null) return node;
  if ('$ref' in node && typeof node.$ref === 'string') return { $ref: component(node.$ref) };
  const { nullable, example, examples, ...rest } = node as Schema;
  const converted = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, jsonSchema(value)]));
  return nullable === true ? { anyOf: [converted, { type: 'null' }] } : converted;
}

function component(reference: string): string {
  const name = reference.split('/').pop() ?? '';
  const key = `component:${name}`;
  if (!knownComponents.has(name)) {
    knownComponents.add(name);
    const schema = correctedSchema(name, described().components.schemas?.[name] ?? {});
    ajv().addSchema(jsonSchema(schema) as AnySchema, key);
  }
  return key;
}

const knownComponents = new Set<string>();
