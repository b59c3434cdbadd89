import type { Change, ChangeSet, Value, YamlPath } from '../../../server/advisor/patch/change.ts';

/** A whole number from 0, below a limit. */
export type Random = (below: number) => number;

/** The same numbers for the same seed. */
export function dice(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const pick = <Item>(random: Random, items: readonly Item[]): Item => items[random(items.length)] as Item;
const isList = (value: Value): value is readonly Value[] => Array.isArray(value);
const isMap = (value: Value): value is { readonly [key: string]: Value } => typeof value === 'object' && !isList(value);

const texts = [
  'x',
  'ubuntu-24.04',
  'a/b@v1',
  'no',
  '12',
  'two words',
  "it's",

  'a: b',
  '灯台🚀',
  'é',
  '*',
  '',
  'on',
];
const blocks = ['echo a # b\necho c', 'one\n\n  two', "- '"];
const expressions = [`\${{ github.ref }}`, `a-\${{ matrix.os }}`];

function madeStep(random: Random): Value {
  const step: Record<string, Value> = {};
  if (random(3) === 0) step.name = pick(random, texts);
  if (random(3) > 0) step.uses = pick(random, ['actions/checkout@v6', 'actions/setup-node@v6', 'a/b@main']);
  else step.run = pick(random, [...texts, ...blocks]);
  if (random(3) === 0)
    step.with = random(2) ? { 'fetch-depth': 0 } : { 'fetch-depth': 0, token: pick(random, expressions) };
  if (random(6) === 0) step.with = {};
  if (random(4) === 0) step.env = { A: pick(random, texts), b: pick(random, expressions) };
  return step;
}

function madeJob(random: Random): Value {
  const job: Record<string, Value> = {
    'runs-on': pick<Value>(random, ['ubuntu-24.04', ['self-hosted', 'linux'], `\${{ matrix.os }}`]),
  };
  if (random(3) === 0) job.needs = pick<Value>(random, ['lint', ['lint'], ['lint', 'build', 'docs']]);
  if (random(3) === 0) job.strategy = { 'fail-fast': false, matrix: { os: ['a', 'b'], exclude: [{ os: 'a' }] } };
  if (random(4) === 0) job.permissions = pick<Value>(random, ['write-all', { contents: 'write' }]);
  if (random(3) > 0) job.steps = Array.from({ length: 1 + random(3) }, () => madeStep(random));
  return job;
}

/** What a workflow file says. */
export function madeWorkflow(random: Random): { readonly [key: string]: Value } {
  const events = pick<Value>(random, [
    'push',
    ['push', 'pull_request'],
    { push: '', pull_request: { types: ['opened'] } },
    { push: { tags: ['v1'] } },
  ]);
  const workflow: Record<string, Value> = random(2) ? { name: pick(random, texts) } : {};
  workflow.on = events;
  if (random(3) === 0) workflow.permissions = pick<Value>(random, ['write-all', { contents: 'read' }]);
  if (random(4) === 0) workflow.concurrency = { group: 'x', 'cancel-in-progress': false };
  workflow.jobs = Object.fromEntries(Array.from({ length: 1 + random(3) }, (_, n) => [`job-${n}`, madeJob(random)]));
  return workflow;
}

/** A way of writing a file down. */
class Writer {
  readonly #random: Random;
  readonly #step: number;
  readonly #listStep: number;
  readonly #anchors: string[] = [];

  constructor(random: Random) {
    this.#random = random;
    this.#step = pick(random, [2, 2, 2, 4, 3]);
    this.#listStep = random(3) === 0 ? 0 : this.#step;
  }

  /** The lines of a map. */
  map(map: { readonly [key: string]: Value }, column: number): string[] {
    return Object.entries(map).flatMap(([key, value]) => [
      ...this.#between(column),
      ...this.#entry(`${' '.repeat(column)}${this.#key(key)}:`, value, column),
    ]);
  }

  #entry(begin: string, value: Value, column: number): string[] {
    const random = this.#random;
    if (typeof value === 'object' && Object.keys(value).length > 0 && random(5) > 0) {
      const anchor = random(40) === 0 ? `n${this.#anchors.length}` : null;
      const head = begin + (anchor === null ? '' : ` &${anchor}`) + this.#comment();
      const below = isMap(value)
        ? this.map(value, column + this.#step)
        : this.#list(value as readonly Value[], column + this.#listStep);
      if (anchor !== null) this.#anchors.push(anchor);
      return [head, ...below];
    }
    if (typeof value === 'object' && random(4) === 0)
      return [`${begin} ${this.#wide(value, column)}${this.#comment()}`];
    if (typeof value === 'object') return [`${begin} ${this.#flow(value)}${this.#comment()}`];
    if (this.#anchors.length > 0 && random(60) === 0) return [`${begin} *${pick(random, this.#anchors)}`];
    if (value === '' && random(2)) return [begin + this.#comment()];
    if (String(value).includes('\n')) return this.#block(begin, String(value), column);
    return [`${begin}${' '.repeat(1 + (random(8) === 0 ? 2 : 0))}${this.#scalar(value, false)}${this.#comment()}`];
  }

  #list(items: readonly Value[], column: number): string[] {
    return items.flatMap((item) => {
      const between = this.#between(column);
      const dash = `${' '.repeat(column)}- `;
      if (!isMap(item) || this.#random(5) === 0) return [...between, dash + this.#flow(item) + this.#comment()];
      const [first = '{}', ...others] = this.map(item, column + 2);
      return [...between, dash + first.trimStart(), ...others];
    });
  }

  #block(begin: string, value: string, column: number): string[] {
    const lines = value.split('\n').map((line) => (line === '' ? '' : ' '.repeat(column + this.#step) + line));
    return [begin + pick(this.#random, [' |', ' |-', ' >']) + this.#comment(), ...lines];
  }

  #flow(value: Value): string {
    const pad = this.#random(3) === 0 ? ' ' : '';
    const end = this.#random(6) === 0 ? ',' : '';
    if (isList(value))
      return value.length > 0 ? `[${pad}${value.map((item) => this.#flow(item)).join(', ')}${end}${pad}]` : '[]';
    if (!isMap(value)) return this.#scalar(value, true);
    const entries = Object.entries(value).map(([key, inner]) => `${this.#key(key)}: ${this.#flow(inner)}`);
    return entries.length > 0 ? `{${pad}${entries.join(', ')}${end}${pad}}` : '{}';
  }

  /** A flow collection over several lines; its bracket stands at the key or further in. */
  #wide(value: Value, column: number): string {
    const indent = `\n${' '.repeat(column + this.#step)}`;
    const end = `\n${' '.repeat(column + (this.#random(2) ? 0 : 1))}`;
    const parts = isList(value)
      ? value.map((item) => this.#flow(item))
      : Object.entries(value).map(([key, inner]) => `${this.#key(key)}: ${this.#flow(inner)}`);
    const [open, close] = isList(value) ? '[]' : '{}';
    if (parts.length === 0) return `${open}${close}`;
    return `${open}${this.#comment()}${indent}${parts.join(`,${this.#comment()}${indent}`)}${end}${close}`;
  }

  #scalar(value: Value, inFlow: boolean): string {
    const text = String(value);
    if (typeof value !== 'string') return text;
    const isPlain = /^[\p{L}$][^:#'"*]*$/u.test(text) && !/^(no|on)$/.test(text) && !(inFlow && /[{}[\],]/.test(text));
    const style = this.#random(4);
    if (isPlain && style < 2) return text;
    return style % 2
      ? JSON.stringify(text)
      : text.includes('\n')
        ? JSON.stringify(text)
        : `'${text.replaceAll("'", "''")}'`;
  }

  readonly #key = (key: string) => (this.#random(15) === 0 ? JSON.stringify(key) : key);
  readonly #comment = () =>
    this.#random(6) === 0
      ? `${' '.repeat(1 + this.#random(2))}# ${pick(this.#random, ['c', 'it\'s "a"', '灯 # x', ''])}`
      : '';

  #between(column: number): string[] {
    const random = this.#random;
    if (random(12) === 0) return [''];
    return random(12) === 0 ? [`${' '.repeat(column + (random(3) === 0 ? this.#step : 0))}# own line`] : [];
  }
}

/** A workflow file in one of the ways in which people write them. */
export function madeFile(random: Random, workflow: { readonly [key: string]: Value }): string {
  const writer = new Writer(random);
  const newline = pick(random, ['\n', '\n', '\r\n']);
  const lines = writer.map(workflow, 0).join('\n').split('\n');
  const mixed = random(10) === 0;
  const text = lines.map((line) => line + (mixed ? pick(random, ['\n', '\r\n']) : newline)).join('');
  return (random(10) === 0 ? '\uFEFF' : '') + (random(4) === 0 ? text.replace(/[\r\n]+$/, '') : text);
}

/** Paths to every node. */
export function pathsOf(value: Value, path: YamlPath = []): YamlPath[] {
  if (typeof value !== 'object') return [path];
  const parts = isList(value) ? value.map((item, index) => [index, item] as const) : Object.entries(value);
  return [path, ...parts.flatMap(([part, inner]) => pathsOf(inner, [...path, part]))];
}

const values: readonly Value[] = [
  12,
  true,
  'x',
  'no',
  'main',
  '**/*.md',
  `\${{ github.ref }}`,
  ['a', 'b'],
  { contents: 'read' },
  { a: { b: '1' } },
];

export function madeChange(random: Random, workflow: { readonly [key: string]: Value }): Change {
  const at = pick(random, pathsOf(workflow));
  const name = pick(random, ['timeout-minutes', 'with', 'env', 'new']);
  switch (random(5)) {
    case 0:
      return {
        do: 'insert',
        at: random(4) ? at : [...at, 'with'],
        key: name,
        value: pick(random, values),
        after: [pick(random, ['runs-on', 'uses', 'on'])],
      };
    case 1:
      return { do: 'replace', at, value: pick(random, values), ...(random(2) ? { comment: 'v6.0.1' } : {}) };
    case 2:
      return { do: 'remove', at, orEmptyParent: random(2) === 0 };
    case 3:
      return { do: 'append', at, value: pick<Value>(random, ['x', { os: 'b', node: '18' }]) };
    default:
      return {
        do: 'filter-triggers',
        filters: { push: random(2) ? { branches: ['main', 'release/*'] } : { branches: ['1'], tags: ['**'] } },
      };
  }
}

export const madeSets = (random: Random, workflow: { readonly [key: string]: Value }): ChangeSet[] =>
  Array.from({ length: 1 + random(4) }, (_, n) => ({
    id: `id-${n}`,
    kind: `ADV-0${1 + random(9)}`,
    changes: Array.from({ length: random(4) === 0 ? 2 : 1 }, () => madeChange(random, workflow)),
  }));
