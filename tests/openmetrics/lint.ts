// The rules of `promtool check metrics`, and of OpenMetrics 1.0, ported: what breaks one is named.
import { expect } from 'vitest';

interface Family {
  type: string;
  help: boolean;
  unit: string | null;
  closed: boolean;
}

const units = ['seconds', 'bytes', 'ratio', 'usd'];
const notBase =
  /(^|_)(milliseconds?|minutes?|hours?|days?|weeks?|kilobytes?|megabytes?|percent|ms|secs?|mins?|kb|mb|celsius_?)(_|$)/;
const typeNames = /(^|_)(gauge|counter|histogram|summary|untyped|info)(_|$)/;
const labelSet = /^\{(?:[a-z_]+="(?:[^"\\\n]|\\[\\"n])*",?)*\}$/;

/** What is wrong with an exposition; empty where nothing is. */
export function lint(text: string): string[] {
  const isOpen = text.endsWith('# EOF\n');
  const problems: string[] = [];
  const families = new Map<string, Family>();
  const series = new Set<string>();
  let current = '';
  const lines = text.split('\n');
  expect(lines.pop()).toBe('');
  for (const line of lines) {
    if (line === '# EOF') continue;
    const meta = /^# (TYPE|HELP|UNIT) (\S+) (.+)$/.exec(line);
    if (meta) {
      const [, keyword = '', name = '', value = ''] = meta;
      if (name !== current) {
        if (families.has(name)) problems.push(`${name} is interleaved`);
        families.set(name, { type: '', help: false, unit: null, closed: false });
        current = name;
      }
      const family = families.get(name) as Family;
      if (family.closed) problems.push(`${name}: metadata behind samples`);
      if (keyword === 'TYPE') family.type = value;
      if (keyword === 'HELP') family.help = true;
      if (keyword === 'UNIT') family.unit = value;
      continue;
    }
    const sample = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(\{.*\})? (\S+)$/.exec(line);
    if (!sample) {
      problems.push(`not a sample: ${line}`);
      continue;
    }
    const [, name = '', labels = '', value = ''] = sample;
    const family = families.get(current);
    if (!family) throw new Error(`no family for ${line}`);
    family.closed = true;
    if (labels && !labelSet.test(labels)) problems.push(`labels of ${line}`);
    if (series.has(name + labels)) problems.push(`twice: ${name}${labels}`);
    series.add(name + labels);
    if (Number.isNaN(Number(value.replace('+Inf', 'Infinity')))) problems.push(`value of ${line}`);
    if (/^\d+\.0+$/.test(value)) problems.push(`an integer with a decimal point: ${line}`);
    const allowed: Record<string, string[]> = isOpen
      ? { counter: ['_total'], gauge: [''], info: ['_info'], histogram: ['_bucket', '_count', '_sum'] }
      : { counter: [''], gauge: [''], histogram: ['_bucket', '_count', '_sum'] };
    if (!(allowed[family.type] ?? []).some((suffix) => name === current + suffix))
      problems.push(`${name} is no sample of ${current}, a ${family.type}`);
    if (family.type !== 'histogram' && /[{,](le|quantile)="/.test(labels)) problems.push(`${name} has le or quantile`);
  }
  for (const [name, { type, help, unit }] of families) {
    const isCounter = type === 'counter';
    const bare = isOpen || !isCounter ? name : name.replace(/_total$/, '');
    if (!help) problems.push(`${name} has no help`);
    if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name)) problems.push(`${name} is not snake_case`);
    if (!name.startsWith('das_')) problems.push(`${name} lacks the prefix`);
    if (notBase.test(name)) problems.push(`${name} has no base unit`);
    if (typeNames.test(isOpen || type !== 'gauge' ? bare : bare.replace(/_info$/, '')))
      problems.push(`${name} has a type in its name`);
    if (!isOpen && isCounter && !name.endsWith('_total')) problems.push(`${name} lacks _total`);
    if (!isCounter && /_total$/.test(name)) problems.push(`${name} ends in _total`);
    if (type === 'gauge' && /_(count|sum|bucket)$/.test(name)) problems.push(`${name} ends like a histogram`);
    if (unit !== null && !name.endsWith(`_${unit}`)) problems.push(`${name} does not end in ${unit}`);
    const ending = units.find((one) => bare.endsWith(`_${one}`)) ?? null;
    if (isOpen && ending !== unit) problems.push(`${name} has unit ${unit}`);
  }
  return problems;
}

/** The value of each series by its name and labels, as they are written. */
export function series(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const space = line.lastIndexOf(' ');
      return [line.slice(0, space), Number(line.slice(space + 1).replace('Inf', 'Infinity'))];
    }),
  );
}
