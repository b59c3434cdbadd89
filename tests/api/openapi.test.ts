import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { describe, expect, test } from 'vitest';
import { openApiDocument } from '../../server/api/openapi/document.ts';
import { operations } from '../../server/api/registry.ts';
import { serviceVersion } from '../../server/domain/service-version.ts';
import { anyDatabase } from '../support/service.ts';
import { administered, everyOperation, guarded, named, open, visitService, withQuery } from './endpoints.ts';

const visit = visitService({ DATABASE_URL: anyDatabase });
const described = async () => (await visit.service.ask('GET', '/api/openapi.json')).body;

interface Described {
  operationId: string;
  summary: string;
  security: object[];
  parameters?: { name: string; in: string; required?: boolean; schema: object }[];
  requestBody?: { content: Record<string, { schema: object }> };
  description: string;
  tags: string[];
  responses: Record<string, DescribedResponse>;
}

interface DescribedResponse {
  description: string;
  headers: Record<string, { $ref: string }>;
  content?: Record<string, { schema: object }>;
  $ref?: string;
}

async function operationsOf(): Promise<(Described & { method: string; path: string })[]> {
  const { paths } = (await described()) as { paths: Record<string, Record<string, Described>> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => ({
      ...one,
      method: method.toUpperCase(),
      path: path.replace(/\{(\w+)\}/g, '[$1]'),
    })),
  );
}

/** Operations that succeed in several ways, or answer an error in a shape of their own. */
const severalStatuses: Record<string, string[]> = {
  'POST /api/codehost/create-issue': ['200', '201'],
  'POST /api/advisor/pull-request': ['200', '201'],
  'POST /api/admin/identity-links': ['200', '201'],
  'POST /api/admin/identity-links/distinct': ['200', '201'],
  'POST /api/alerts': ['200', '201'],
  'POST /api/tokens': ['201'],
  'POST /api/shares': ['201'],
  'GET /api/badges/[badge]': ['200', '304'],
  'POST /api/mcp': ['200', '202'],
  'POST /api/settings/otlp/backfills': ['202'],
  'POST /api/alerts/test': ['200', '502'],
  'POST /api/auth/logout': ['200', '303'],
  'GET /api/auth/login': ['302'],
  'GET /api/auth/callback': ['302'],
};

/** Query parameters that choose the format of an answer; no operation declares them itself. */
const formatParameters = ['format', 'csv_guard', 'csv_pages'];

describe('the description of the interface', () => {
  test('is OpenAPI 3.1 of this version at this address', async () => {
    const document = await described();
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.info.version).toBe(serviceVersion);
    expect(document.servers).toMatchObject([{ url: 'http://localhost:3000' }]);
  });

  test('reports every operation but itself', async () => {
    const found = (await operationsOf()).map(named).sort();
    expect(found).toEqual(everyOperation.filter((one) => one !== 'GET /api/openapi.json'));
  });

  test('names each once, and says what it is for', async () => {
    const all = await operationsOf();
    expect(new Set(all.map(({ operationId }) => operationId)).size).toBe(all.length);
    for (const { summary, operationId } of all) {
      expect(summary.length).toBeGreaterThan(5);
      expect(operationId).toMatch(/^(get|post|put|patch|delete)[A-Z]\w+$/);
    }
  });

  test('says who may ask', async () => {
    const free = new Set(open.map(named));
    for (const one of await operationsOf())
      expect([named(one), one.security.length > 0]).toEqual([named(one), !free.has(named(one))]);
  });

  test('says of a write whether a GitHub token does, as its security has it', async () => {
    for (const { method, security, description, ...one } of await operationsOf()) {
      const takesToken = security.some((scheme) => 'token' in scheme);
      expect([method, one.path, description.includes('GitHub token')]).toEqual([method, one.path, takesToken]);
    }
  });

  test('names the cookie as it is set: with its prefix where the service is reached over https', () => {
    const nameAt = (address: string) =>
      openApiDocument(operations, { APP_URL: address, CODEHOST_WEB_URL: 'https://github.com' }).components
        ?.securitySchemes?.session;
    expect(nameAt('http://localhost:3000')).toMatchObject({ name: 'das_session' });
    expect(nameAt('https://delivery.acme.dev')).toMatchObject({ name: '__Host-das_session' });
  });

  test('says that an event of the platform is named by headers, and signed', async () => {
    const webhook = (await operationsOf()).find(({ path }) => path === '/api/webhooks/codehost');
    expect(webhook?.parameters?.map((one) => [one.in, one.name, one.required])).toEqual([
      ['header', 'X-GitHub-Event', true],
      ['header', 'X-GitHub-Delivery', true],
    ]);
    expect(webhook?.security).toEqual([{ signature: [] }]);
    const types = ['application/json', 'application/x-www-form-urlencoded'];
    expect(Object.keys(webhook?.requestBody?.content ?? {})).toEqual(types);
  });

  test('says what goes in, with the limits', async () => {
    // Their bodies are described by whoever defined them.
    const foreign = ['/api/webhooks/codehost', '/api/mcp'];
    const all = (await operationsOf()).filter(({ path }) => !foreign.includes(path));
    for (const one of all) {
      const declared = operations.find((each) => named(each) === named(one));
      const fields = Object.keys(declared?.input.shape ?? {});
      const given = one.parameters?.map(({ name }) => name).filter((name) => !formatParameters.includes(name)) ?? [];
      const body = one.requestBody?.content['application/json']?.schema as { properties?: object } | undefined;
      // What of a write may stand in its query stands in both.
      const all = new Set([...given, ...Object.keys(body?.properties ?? {})]);
      expect([named(one), [...all]]).toEqual([named(one), fields]);
      const inPath = one.parameters?.filter((each) => each.in === 'path').map(({ name }) => `[${name}]`) ?? [];
      expect([named(one), inPath]).toEqual([named(one), one.path.match(/\[\w+\]/g) ?? []]);
    }
    const runs = all.find(({ path }) => path === '/api/codehost/runs');
    const parameter = (name: string) => runs?.parameters?.find((one) => one.name === name);
    expect(parameter('owner')).toMatchObject({ in: 'query', required: true });
    expect(parameter('per_page')?.required ?? false).toBe(false);
    expect(parameter('per_page')?.schema).toMatchObject({ type: 'integer', minimum: 1, maximum: 100, default: 50 });
  });

  test('says with which statuses an operation succeeds, and what each of them means', async () => {
    for (const { responses, ...one } of await operationsOf()) {
      const isRevalidated = one.method === 'GET' && /^\/api\/(advisor|codehost|db)\//.test(one.path);
      const statuses = [...(severalStatuses[named(one)] ?? ['200']), ...(isRevalidated ? ['304'] : [])];
      const described = Object.keys(responses).filter((status) => responses[status]?.$ref === undefined);
      expect([named(one), described]).toEqual([named(one), statuses]);
    }
    const filing = (await operationsOf()).find(({ path }) => path === '/api/codehost/create-issue');
    expect(filing?.responses['201']).toMatchObject({ description: expect.stringMatching(/^Created/) });
    expect(filing?.responses['200']).toMatchObject({ description: expect.stringMatching(/^Deduplicated/) });
    const listing = (await operationsOf()).find(({ path }) => path === '/api/codehost/runs');
    expect(listing?.responses['304']).toMatchObject({ description: expect.stringMatching(/^Not modified/) });
    expect(listing?.responses['304']?.content).toBeUndefined();
    expect(filing?.responses['201']?.content).toEqual(filing?.responses['200']?.content);
    const issue = { as: 'token-ann', body: { owner: 'octo', repo: 'web', title: 'Slow' } };
    for (const status of [201, 200])
      expect((await visit.service.ask('POST', '/api/codehost/create-issue', issue)).status).toBe(status);
  });

  test('says what comes out, failures included, and every reference leads somewhere', async () => {
    for (const one of await operationsOf()) {
      const [status = ''] = severalStatuses[named(one)] ?? ['200'];
      const [content] = Object.values(one.responses[status]?.content ?? {});
      const body = content?.schema;
      expect([named(one), typeof body]).toEqual([named(one), Number(status) < 300 ? 'object' : 'undefined']);
      expect(one.responses.default).toEqual({ $ref: '#/components/responses/Failure' });
    }
    const document = await described();
    const references = JSON.stringify(document).match(/#\/components\/schemas\/\w+/g) ?? [];
    expect(references.length).toBeGreaterThan(10);
    for (const reference of references)
      expect(document.components.schemas).toHaveProperty([reference.split('/').at(-1) ?? '']);
  });

  test('says with which failures each may answer, by what it declares', async () => {
    const failuresOf = async (name: string) => {
      const responses = (await operationsOf()).find((one) => named(one) === name)?.responses ?? {};
      return Object.keys(responses).filter((status) => responses[status]?.$ref?.match(/Failure\d/));
    };
    expect(await failuresOf('GET /api/health')).toEqual(['400']);
    expect(await failuresOf('GET /api/ready')).toEqual(['400', '503']);
    const everywhere = ['400', '401', '403'];
    expect(await failuresOf('GET /api/codehost/runs')).toEqual([...everywhere, '404', '410', '429', '502', '503']);
    expect(await failuresOf('GET /api/ai/status')).toEqual([...everywhere, '429', '503']);
    expect(await failuresOf('PUT /api/settings/team')).toEqual([...everywhere, '409', '413', '415', '429', '503']);
    expect(await failuresOf('PATCH /api/alerts')).toEqual([...everywhere, '404', '413', '415', '429', '503']);
    expect(await failuresOf('GET /api/db/trends')).toEqual([...everywhere, '404', '410', '429', '503']);
    expect(await failuresOf('POST /api/db/sync')).toEqual(
      expect.arrayContaining([...everywhere, '404', '410', '502', '503']),
    );
    expect(await failuresOf('GET /api/auth/me')).toEqual([...everywhere, '429', '503']);
    expect(await failuresOf('GET /api/auth/login')).toEqual(['400', '429']);
    expect(await failuresOf('DELETE /api/auth/setup')).toEqual(['400', '403', '404', '413', '415']);
    const { responses, schemas } = (await described()).components;
    for (const { content } of Object.values<DescribedResponse>(responses))
      expect(content?.['application/json']?.schema).toEqual({ $ref: '#/components/schemas/Problem' });
    expect(schemas.Problem.required).toEqual(['error', 'code', 'request_id']);
    expect(responses.Failure429.description).toContain('`rate_limited`');
  });

  test('names the formats that an answer can be had in', async () => {
    for (const one of await operationsOf()) {
      const declared = operations.find((each) => named(each) === named(one));
      const formats = ['json', ...(declared?.rows ? ['csv'] : []), ...(declared?.sarif ? ['sarif'] : [])];
      const format = one.parameters?.find(({ name }) => name === 'format')?.schema;
      expect([named(one), format]).toEqual([
        named(one),
        formats.length > 1 ? expect.objectContaining({ enum: formats, default: 'json' }) : undefined,
      ]);
      const types = Object.keys(one.responses['200']?.content ?? {});
      expect(types.includes('text/csv')).toBe(declared?.rows !== undefined);
      expect(types.includes('application/sarif+json')).toBe(declared?.sarif !== undefined);
    }
  });

  test.each([...guarded, ...administered].filter(({ method }) => method === 'GET'))(
    '$path: every header of an answer is described',
    async ({ path, query }) => {
      const answer = await visit.service.ask('GET', withQuery(path, query), { as: 'token-ann' });
      const one = (await operationsOf()).find((each) => named(each) === `GET ${path}`);
      const response = one?.responses[String(answer.status)];
      const reference = response?.$ref?.split('/').at(-1) ?? '';
      const documented = response?.headers ?? (await described()).components.responses[reference].headers;
      const known = new Set(Object.keys(documented).map((name) => name.toLowerCase()));
      const own = [...answer.headers.keys()].filter((name) =>
        /^(x-|ratelimit-|etag|location|idempotent|content-disp)/.test(name),
      );
      const security = ['x-content-type-options', 'x-frame-options'];
      expect(own.filter((name) => !security.includes(name) && !known.has(name))).toEqual([]);
    },
  );

  test('has no finding of the linters that readers of such documents use', async () => {
    const source = JSON.stringify(await described()).replaceAll('http://localhost:3000', 'https://delivery.acme.dev');
    const config = await createConfig({ extends: ['recommended-strict'] });
    const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
    const linter = new spectral.Spectral();
    linter.setRuleset({ extends: rulesets.oas } as RulesetDefinition);
    const results = await linter.run(JSON.parse(source));
    expect(results.map(({ code, message, path }) => `${code}: ${message} at ${path.join('/')}`)).toEqual([]);
  });
});
