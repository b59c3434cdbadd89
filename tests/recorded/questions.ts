import type { Answered } from '../support/service.ts';

/** An operation that reads, as the service itself describes it. */
export interface Read {
  path: string;
  parameters: Parameter[];
  isTable: boolean;
  isSarif: boolean;
}

interface Parameter {
  name: string;
  required: boolean;
  schema: { type?: string; enum?: unknown[]; examples?: unknown[]; minimum?: number; maximum?: number };
}

/** Every operation that reads without a secret of its own and without a parameter in its path. */
export function readsOf({ body: document }: Answered): Read[] {
  return Object.entries<Record<string, RawOperation>>(document.paths).flatMap(([path, { get }]) => {
    if (!get || /\/(cron|auth\/(login|callback))/.test(path)) return [];
    const content = Object.keys(get.responses[200]?.content ?? {});
    return {
      path,
      parameters: (get.parameters ?? []).map((one) => resolved(document, one)).filter(isOfQuery),
      isTable: content.includes('text/csv'),
      isSarif: content.includes('application/sarif+json'),
    };
  });
}

interface RawOperation {
  parameters?: object[];
  responses: Record<number, { content?: object }>;
}

const isOfQuery = (one: Parameter & { in?: string }) => one.in === 'query';

function resolved(document: object, { $ref, ...one }: { $ref?: string }): Parameter {
  const pointed = $ref === undefined ? one : at(document, $ref);
  const { schema } = pointed as { schema?: { $ref?: string } };
  return { ...pointed, schema: schema?.$ref ? at(document, schema.$ref) : (schema ?? {}) } as Parameter;
}

// biome-ignore lint/suspicious/noExplicitAny: a pointer leads anywhere.
function at(document: object, pointer: string): any {
  const keys = pointer.split('/').slice(1);
  return keys.reduce((found, key) => found[key as keyof object], document);
}

/** What an operation is requested about when its parameters have these names. */
const good: Record<string, string> = {
  owner: 'octo',
  repo: 'web',
  org: 'octo',
  login: 'ana',
  workflow_id: '7001',
  run_id: '5011',
  metric: 'lead_time',
  metrics: 'success_rate,merged',
  resource: 'runs',
  timezone: 'Asia/Saigon',
  start: '8',
  end: '19',
  scope: 'repo:octo/web',
  threshold: '20',
};

/** Where the same name means something else, or where more must be said. */
const goodOf: Record<string, Record<string, string>> = {
  '/api/demo': { resource: 'runs' },
  '/api/explain': { owner: 'octo', repo: 'web', metric: 'lead_time' },
  '/api/alerts/preview': { scope: 'repo:octo/web', metric: 'failure_rate', threshold: '20' },
  '/api/ai/insights': { owner: 'octo', repo: 'web' },
  '/api/ai/anomaly-explanation': { owner: 'octo', repo: 'web', workflow_id: '7001', metric: 'duration' },
  '/api/db/sync': { owner: 'octo' },
  '/api/codehost/billing': { org: 'octo' },
  '/api/admin/identity-links/preview': { alias: 'ana-old', primary: 'ana' },
};

/** A question that can be answered. */
export function goodQuestion({ path, parameters }: Read): Record<string, string> {
  const required = parameters.filter(({ required }) => required).map(({ name }) => [name, good[name] ?? 'x']);
  return goodOf[path] ?? Object.fromEntries(required);
}

export const withQuery = (path: string, query: Record<string, string>): string => {
  const text = new URLSearchParams(query).toString();
  return text === '' ? path : `${path}?${text}`;
};

/** Values that are rejected, by what a parameter takes; a text that takes much is too long. */
function wrongValue({ name, schema }: Parameter): string {
  if (schema.enum || schema.examples) return 'nothing-of-the-kind';
  if (schema.type === 'integer' || schema.type === 'number') return 'many';
  return name === 'timezone' ? 'Mars/Olympus' : '../x'.repeat(300);
}

/** Questions that differ from the good one in one parameter, or in how they are written. */
export function otherQuestions(read: Read): string[] {
  const { path, parameters, isTable, isSarif } = read;
  const base = goodQuestion(read);
  const ask = (more: Record<string, string>) => withQuery(path, { ...base, ...more });
  const request = parameters.flatMap((one) =>
    [...valuesOf(one), wrongValue(one)].map((value) => ask({ [one.name]: value })),
  );
  const [first] = Object.keys(base);
  if (first) request.push(path, `${ask({})}&${first}=${base[first]}`);
  if (isTable) request.push(ask({ format: 'csv', csv_guard: 'off' }));
  if (isSarif) request.push(ask({ format: 'sarif' }));
  request.push(ask({ unheard_of: '1' }));
  const isGood = (one: string) => one === ask({});
  return [...new Set(request)].filter((one) => !isGood(one));
}

/** Every value of a list, both ends of a range and what lies beyond. */
function valuesOf({ name, schema }: Parameter): string[] {
  if (name === 'metric' || name === 'csv_guard' || name === 'csv_pages') return [];
  if (schema.enum) return schema.enum.map(String).filter((value) => !(name === 'format' && value === 'json'));
  if (schema.examples) return schema.examples.map(String);
  const { minimum, maximum } = schema;
  if (minimum === undefined || maximum === undefined || maximum > 1e9) return minimum === 1 ? ['0'] : [];
  return [minimum - 1, minimum, maximum, maximum + 1].map(String);
}

/** The same question about repositories that have little, much or nothing to tell, or are none of the caller's. */
export function aboutOthers(read: Read): string[] {
  const base = goodQuestion(read);
  const ask = (more: Record<string, string>) => withQuery(read.path, { ...base, ...more });
  if (base.repo)
    return ['api', 'empty', 'old', 'before', 'no-actions', 'nothing', 'WEB', 'tide'].map((repo) => ask({ repo }));
  if (base.org) return ['many', 'sealed', 'nobody', 'OCTO', 'ann'].map((org) => ask({ org }));
  return base.owner ? ['ann', 'sealed', 'nobody'].map((owner) => ask({ owner })) : [];
}
