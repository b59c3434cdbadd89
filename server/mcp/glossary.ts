import type { Context, Services } from '../access/context.ts';
import { computeExample } from '../api/metric-example.ts';
import { demoContext } from '../http/context.ts';
import { explanations } from '../reports/kernel/explanations.ts';

interface Term {
  key: string;
  label: string;
  definition: string;
  unit: string;
  levels: string | null;
  noValue: string | null;
}

const dayMs = 86_400_000;
const read = new WeakMap<Services, { day: number; terms: Promise<readonly Term[]> }>();

/** All metrics by name, as Markdown: computed once a day, over the sample organization. */
export async function describeGlossary(context: Context): Promise<string> {
  const terms = await readTerms(context);
  return ['# Metrics', ...terms.map(({ key, label, definition }) => `- **${label}** (\`${key}\`): ${definition}`)].join(
    '\n',
  );
}

/** One metric as Markdown; null where there is none of that key. */
export async function describeTerm(metric: string, context: Context): Promise<string | null> {
  if (!explanations.has(metric)) return null;
  const { key, label, definition, unit, levels, noValue } = await computeTerm(metric, demoContext(context));
  const { APP_URL } = context.services.env;
  return [
    `# ${label}`,
    definition,
    `Key: \`${key}\`. Unit: ${unit}.`,
    ...(levels ? [`Levels: ${levels}`] : []),
    ...(noValue ? [`No value: ${noValue}`] : []),
    `${APP_URL}/docs/metrics/${key}`,
  ].join('\n\n');
}

/** Keys that begin so, for completion. */
export const findMetrics = (start: string): string[] =>
  [...explanations.keys()].filter((key) => key.startsWith(start)).sort();

function readTerms(context: Context): Promise<readonly Term[]> {
  const { services } = context;
  const day = Math.floor(services.clock.now() / dayMs);
  const known = read.get(services);
  if (known?.day === day) return known.terms;
  const terms = computeTerms(demoContext(context));
  read.set(services, { day, terms });
  terms.catch(() => read.delete(services));
  return terms;
}

async function computeTerms(visitor: Context): Promise<Term[]> {
  const terms: Term[] = [];
  for (const key of explanations.keys()) terms.push(await computeTerm(key, visitor));
  return terms;
}

async function computeTerm(key: string, visitor: Context): Promise<Term> {
  const { answer, input } = await computeExample(key, visitor);
  const { label, definition, levels, source, unit, no_value: noValue } = answer;
  // Without the name of the job.
  const name = input.job === undefined ? label : label.replace(`: ${input.job}`, '');
  return { key, label: name, definition: definition ?? source, unit, levels, noValue };
}
