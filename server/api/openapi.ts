import { z } from 'zod';
import { createDocument, type ZodOpenApiPathsObject } from 'zod-openapi';
import { anyone, cronBearer, platformSignature } from '../access/rules.ts';
import { serviceVersion } from '../platform/version.ts';
import { deliveryHeaders } from './inbound.ts';
import { type Operation, operation } from './operation.ts';

const problem = z
  .object({
    ok: z.literal(false).optional().meta({ description: 'Where every answer says whether it did what was asked.' }),
    error: z.string().meta({ description: 'A sentence that is safe to show.' }),
    code: z.string().meta({ description: 'Stable machine code.' }),
    flag: z.string().optional().meta({ description: 'The feature that is not granted.' }),
    details: z.record(z.string(), z.unknown()).optional(),
    request_id: z.string(),
  })
  .meta({ id: 'Problem' });

/** The operation that describes the others. */
export const describeOperations = (operations: readonly Operation[]) =>
  operation({
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'This description, as OpenAPI 3.1',
    access: anyone,
    cache: 'public, max-age=3600',
    input: z.object({}),
    output: z.looseObject({ openapi: z.string() }),
    run: async (_input, { services }) => ({ ...openApiDocument(operations, services.env.APP_URL) }),
  });

/** The OpenAPI 3.1 document of the operations, made of the very schemas that check requests and answers. */
export function openApiDocument(operations: readonly Operation[], server: string) {
  const paths: ZodOpenApiPathsObject = {};
  for (const operation of operations) {
    const path = operation.path.replace(/\[(\w+)\]/g, '{$1}');
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(operation) };
  }
  return createDocument({
    openapi: '3.1.1',
    info: { title: 'Delivery Analytics Service', version: serviceVersion },
    servers: [{ url: server }],
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'das_session' },
        token: { type: 'http', scheme: 'bearer', description: 'A personal access token of the platform.' },
        signature: {
          ...{ type: 'apiKey', in: 'header', name: 'X-Hub-Signature-256' },
          description: '`sha256=` and the HMAC-SHA256 of the body with the secret of the webhook, in hexadecimal.',
        },
        timetable: { type: 'http', scheme: 'bearer', description: '`CRON_SECRET`, sent by your own scheduler.' },
      },
    },
    paths,
  });
}

function describe(operation: Operation) {
  const { path, summary, access, output, successes = { 200: 'OK' } } = operation;
  return {
    summary,
    operationId: operationId(operation),
    tags: [path.split('/')[2] ?? 'api'],
    'x-access': access.name,
    security: securityOf(operation),
    ...(access === platformSignature ? delivered(operation) : asked(operation)),
    responses: {
      ...Object.fromEntries(Object.entries(successes).map(([status, meaning]) => [status, answered(meaning, output)])),
      default: answered('Refused or failed', problem),
    },
  };
}

function securityOf({ access }: Operation) {
  if (access === platformSignature) return [{ signature: [] }];
  if (access === cronBearer) return [{ timetable: [] }];
  return access.name === 'anyone' ? [] : [{ session: [] }, { token: [] }];
}

function asked(operation: Operation) {
  const { inPath, rest } = inputsOf(operation);
  const hasRest = Object.keys(rest.shape).length > 0;
  const inBody = operation.method === 'POST' || operation.method === 'PUT' || operation.method === 'PATCH';
  return {
    requestParams: { ...(inPath && { path: inPath }), ...(hasRest && !inBody && { query: rest }) },
    ...(hasRest && inBody && { requestBody: { content: { 'application/json': { schema: rest } } } }),
  };
}

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
function inputsOf({ path, input }: Operation): { inPath: z.ZodObject | null; rest: z.ZodObject } {
  const named = new Set([...path.matchAll(/\[(\w+)\]/g)].map(([, name]) => name));
  if (named.size === 0) return { inPath: null, rest: input };
  const part = (isWanted: (key: string) => boolean) =>
    z.object(Object.fromEntries(Object.entries(input.shape).filter(([key]) => isWanted(key))));
  return { inPath: part((key) => named.has(key)), rest: part((key) => !named.has(key)) };
}

const answered = (description: string, schema: z.ZodType) => ({
  description,
  content: { 'application/json': { schema } },
});

const operationId = ({ method, path }: Operation) =>
  `${method.toLowerCase()}${path.replace(/^\/api/, '').replace(/[^A-Za-z0-9]+(\w?)/g, (_, next: string) => next.toUpperCase())}`;
