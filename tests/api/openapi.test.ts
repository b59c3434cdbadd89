import { describe, expect, test } from 'vitest';
import { operations } from '../../server/api/registry.ts';
import { serviceVersion } from '../../server/platform/version.ts';
import { everyOperation, named, open, visitService } from './endpoints.ts';

const visit = visitService();
const described = async () => (await visit.service.ask('GET', '/api/openapi.json')).body;

interface Described {
  operationId: string;
  summary: string;
  security: object[];
  parameters?: { name: string; in: string; required?: boolean; schema: object }[];
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, { description: string; content: Record<string, { schema: object }> }>;
}

async function operationsOf(): Promise<(Described & { method: string; path: string })[]> {
  const { paths } = (await described()) as { paths: Record<string, Record<string, Described>> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => ({
      ...{ ...one, method: method.toUpperCase() },
      path: path.replace(/\{(\w+)\}/g, '[$1]'),
    })),
  );
}

/** Operations that succeed in several ways, or answer a refusal in a shape of their own. */
const severalStatuses: Record<string, string[]> = {
  'POST /api/codehost/create-issue': ['200', '201'],
  'POST /api/alerts': ['200', '201'],
  'POST /api/alerts/test': ['200', '502'],
};

describe('the description of the interface', () => {
  test('is OpenAPI 3.1 of this version at this address', async () => {
    const document = await described();
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.info.version).toBe(serviceVersion);
    expect(document.servers).toEqual([{ url: 'http://localhost:3000' }]);
  });

  test('tells of every operation but itself', async () => {
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
    const all = (await operationsOf()).filter(({ path }) => path !== '/api/webhooks/codehost');
    for (const one of all) {
      const declared = operations.find((each) => named(each) === named(one));
      const fields = Object.keys(declared?.input.shape ?? {});
      const given = one.parameters?.map(({ name }) => name) ?? [];
      const body = one.requestBody?.content['application/json']?.schema as { properties?: object } | undefined;
      const all = [...given, ...Object.keys(body?.properties ?? {})];
      expect([named(one), all]).toEqual([named(one), fields]);
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
      const statuses = [...(severalStatuses[named(one)] ?? ['200']), 'default'];
      expect([named(one), Object.keys(responses)]).toEqual([named(one), statuses]);
    }
    const filing = (await operationsOf()).find(({ path }) => path === '/api/codehost/create-issue');
    expect(filing?.responses['201']).toMatchObject({ description: expect.stringMatching(/^Created/) });
    expect(filing?.responses['200']).toMatchObject({ description: expect.stringMatching(/^Deduplicated/) });
    expect(filing?.responses['201']?.content).toEqual(filing?.responses['200']?.content);
    for (const told of [201, 200]) {
      const path = '/api/codehost/create-issue?owner=octo&repo=web&title=Slow';
      expect((await visit.service.ask('POST', path, { as: 'token-ann' })).status).toBe(told);
    }
  });

  test('says what comes out, refusals included, and every reference leads somewhere', async () => {
    for (const one of await operationsOf()) {
      expect(one.responses['200']?.content['application/json']?.schema).toBeTypeOf('object');
      expect(one.responses.default?.content['application/json']?.schema).toEqual({
        $ref: '#/components/schemas/Problem',
      });
    }
    const document = await described();
    const references = JSON.stringify(document).match(/#\/components\/schemas\/\w+/g) ?? [];
    expect(references.length).toBeGreaterThan(10);
    for (const reference of references)
      expect(document.components.schemas).toHaveProperty([reference.split('/').at(-1) ?? '']);
  });
});
