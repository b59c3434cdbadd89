import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOverride,
  type ZodOpenApiPathsObject,
} from 'zod-openapi';
import { accessTokenBearer, anyone, platformSignature } from '../../access/rules.ts';
import { serviceVersion } from '../../domain/service-version.ts';
import type { Env } from '../../platform/env.ts';
import { nameHost } from '../../platform/host-name.ts';
import { hasPages, type Operation, operation } from '../operation.ts';
import { deliveryHeaders } from '../sync/webhook.ts';
import { describeOperation, tags } from './description.ts';
import { responseHeaders } from './headers.ts';
import { describeResponses, failureResponses } from './responses.ts';
import { describeSecurity, securitySchemes } from './security.ts';

/** The operation that describes the others. */
export function describeOperations(operations: readonly Operation[]) {
  const documents = new WeakMap<Env, ReturnType<typeof openApiDocument>>();
  return operation({
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'This description, as OpenAPI 3.1',
    access: anyone,
    cache: 'public, max-age=3600',
    input: z.object({}),
    output: z.looseObject({ openapi: z.string() }),
    async run(_input, { services: { env } }) {
      const document = documents.get(env) ?? openApiDocument(operations, env);
      documents.set(env, document);
      return { ...document };
    },
  });
}

type Described = Pick<Env, 'APP_URL' | 'CODEHOST_WEB_URL'>;

/** The OpenAPI 3.1 document of the operations, made of the very schemas that check requests and answers. */
export function openApiDocument(operations: readonly Operation[], env: Described) {
  const { APP_URL: server } = env;
  const paths: ZodOpenApiPathsObject = {};
  for (const operation of operations) {
    const path = operation.path.replace(/\[(\w+)\]/g, '{$1}');
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(operation) };
  }
  const document: ZodOpenApiObject = {
    openapi: '3.1.1',
    info: {
      title: 'Delivery Analytics Service',
      version: serviceVersion,
      description:
        'Reads delivery and CI data from GitHub and turns it into metrics for engineering teams. Every number can be explained, and what could not be read is reported.',
      contact: { name: 'The operators of this service', url: `${server}/docs` },
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: server, description: 'This service.' }],
    tags,
    components: {
      headers: responseHeaders,
      responses: failureResponses,
      securitySchemes: securitySchemes(server),
    },
    paths,
  };
  return withHostNamed(createDocument(document, { override: listKeysOfRecords }), env);
}

/** The same document, with the name of the host in its sentences. */
const withHostNamed = <T>(document: T, env: Described): T =>
  JSON.parse(JSON.stringify(document), (key, value) =>
    (key === 'description' || key === 'summary') && typeof value === 'string' ? nameHost(value, env) : value,
  );

/** A record with known keys is described by its properties, which is what readers of `required` look for. */
const listKeysOfRecords: ZodOpenApiOverride = ({ jsonSchema }) => {
  const { additionalProperties, required } = jsonSchema;
  if (!jsonSchema.propertyNames || !required || typeof additionalProperties !== 'object') return;
  jsonSchema.properties = Object.fromEntries(required.map((key) => [key, additionalProperties]));
  jsonSchema.additionalProperties = false;
  delete jsonSchema.propertyNames;
};

function describe(operation: Operation) {
  const { path, summary, access } = operation;
  return {
    summary,
    description: describeOperation(operation),
    operationId: operationId(operation),
    tags: [path.split('/')[2] ?? 'api'],
    'x-access': access.name,
    security: describeSecurity(operation),
    ...describeRequest(operation),
    responses: describeResponses(operation),
  };
}

function describeRequest(operation: Operation) {
  if (operation.access === platformSignature) return delivered(operation);
  return operation.access === accessTokenBearer ? messaged(operation) : requested(operation);
}

function requested(operation: Operation) {
  const { inPath, rest } = splitInput(operation);
  const hasRest = Object.keys(rest.shape).length > 0;
  const inBody = operation.method === 'POST' || operation.method === 'PUT' || operation.method === 'PATCH';
  const inQuery = inBody ? pickFields(rest, (key) => operation.query?.includes(key) ?? false) : rest;
  const query = inQuery.extend(formatParameters(operation));
  const hasQuery = Object.keys(query.shape).length > 0;
  return {
    requestParams: { ...(inPath && { path: inPath }), ...(hasQuery && { query }) },
    ...(hasRest && inBody && { requestBody: describeBody(rest) }),
  };
}

/** Where every field is optional, the body is too. */
const describeBody = (schema: z.ZodObject) => ({
  required: !schema.safeParse({}).success,
  content: { 'application/json': { schema } },
});

/** How the answer is written, where it can be had as more than JSON. */
function formatParameters(operation: Operation): Record<string, z.ZodType> {
  const { rows, sarif } = operation;
  const formats = ['json', ...(rows ? ['csv'] : []), ...(sarif ? ['sarif'] : [])];
  if (formats.length === 1) return {};
  const format = z.enum(formats).default('json').meta({ description: 'Format of the answer; wins over `Accept`.' });
  if (!rows) return { format };
  const guard = 'Texts that a spreadsheet would run as a formula begin with an apostrophe. `off` only for programs.';
  const csv_guard = z.enum(['on', 'off']).default('on').meta({ description: guard });
  if (!hasPages(operation)) return { format, csv_guard };
  const pages = '`all`: one file with this page and all after it.';
  return { format, csv_guard, csv_pages: z.enum(['one', 'all']).default('one').meta({ description: pages }) };
}

/** The body is the message itself. */
const messaged = ({ output }: Operation) => ({
  requestBody: { required: true, content: { 'application/json': { schema: output } } },
});

/** As the platform delivers: headers name the event, and the body is the payload itself, as JSON or in a form. */
function delivered({ input }: Operation) {
  const { event, delivery, payload } = input.shape as Record<'event' | 'delivery' | 'payload', z.ZodType>;
  const [named, numbered] = [deliveryHeaders.event[0], deliveryHeaders.delivery[0]];
  return {
    requestParams: { header: z.object({ [named]: event, [numbered]: delivery }) },
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: payload },
        'application/x-www-form-urlencoded': { schema: z.object({ payload: z.string() }) },
      },
    },
  };
}

/** What the path names, and everything else that goes in. */
function splitInput({ path, input }: Operation): { inPath: z.ZodObject | null; rest: z.ZodObject } {
  const named = new Set([...path.matchAll(/\[(\w+)\]/g)].map(([, name]) => name));
  if (named.size === 0) return { inPath: null, rest: input };
  return { inPath: pickFields(input, (key) => named.has(key)), rest: pickFields(input, (key) => !named.has(key)) };
}

const pickFields = ({ shape }: z.ZodObject, isWanted: (key: string) => boolean) =>
  z.object(Object.fromEntries(Object.entries(shape).filter(([key]) => isWanted(key))));

const operationId = ({ method, path }: Operation) =>
  `${method.toLowerCase()}${path.replace(/^\/api/, '').replace(/[^A-Za-z0-9]+(\w?)/g, (_, next: string) => next.toUpperCase())}`;
