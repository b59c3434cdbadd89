import { z } from 'zod';
import { featureKeys } from '../access/features.ts';
import { quantity, type Unit } from '../domain/quantity.ts';
import { aboutAnswer, type Source } from './about-answer.ts';
import type { Draft, Item } from './draft.ts';
import { Measurement } from './measurement.ts';
import type { Reader } from './reader.ts';
import type { Tool } from './tool.ts';

/** The structured content of every tool. */
export const ToolAnswer = z.strictObject({
  tool: z.string(),
  request_id: z.string(),
  subject: z.strictObject({
    owner: z.string().optional(),
    repo: z.string().optional(),
    org: z.string().optional(),
    workflow_id: z.number().optional(),
    run_id: z.number().optional(),
    login: z.string().optional(),
  }),
  as_of: z.iso.datetime(),
  data_source: z.enum(['live', 'database', 'mixed']),
  partial: z.boolean(),
  timezone: z.string(),
  measurements: z.array(Measurement).max(60),
  items: z.array(z.record(z.string(), z.unknown())),
  next_cursor: z.string().nullable(),
  total: z.number().nullable(),
  notes: z.array(
    z.strictObject({
      code: z.string(),
      text: z.string(),
      part: z.string().optional(),
      flag: z.enum(featureKeys).optional(),
    }),
  ),
  links: z.strictObject({ page: z.url(), docs: z.url() }),
});

export type ToolAnswer = z.output<typeof ToolAnswer>;

const maxBytes = 64 * 1024;
const maxMeasurements = 60;

/** Cuts what a tool found into a page that fits, and says what it is of. */
export function toToolAnswer(
  { name }: Pick<Tool, 'name'>,
  draft: Draft,
  { items, next }: { items: readonly Item[]; next: (shown: readonly Item[]) => string | null },
  { context, notes }: Reader,
  timezone: string,
): ToolAnswer {
  const { APP_URL: appUrl } = context.services.env;
  const about = draft.parts.map(aboutAnswer);
  const answer: ToolAnswer = {
    tool: name,
    request_id: context.requestId,
    subject: draft.subject,
    as_of: about.map(({ asOf }) => asOf).sort()[0] ?? new Date(context.services.clock.now()).toISOString(),
    data_source: sourceOf(about.map(({ source }) => source)),
    partial:
      about.some(({ isPartial, coverage }) => isPartial || coverage?.complete === false) ||
      draft.measurements.some(({ coverage }) => !coverage.complete),
    timezone,
    measurements: draft.measurements.slice(0, maxMeasurements),
    items: [],
    next_cursor: null,
    total: draft.total ?? draft.items.length,
    notes: [...notes],
    links: { page: new URL(draft.page, appUrl).href, docs: new URL('/docs/open/mcp', appUrl).href },
  };
  const fitting = takeFitting(items, maxBytes - sizeOf(answer) - cursorBytes);
  if (fitting.isShortened) answer.notes.push(shortened);
  answer.items = fitting.items.map(({ value }) => value);
  answer.next_cursor = next(fitting.items);
  return answer;
}

const cursorBytes = 1024;
const shortened = { code: 'item_shortened', text: 'An item was too large: its lists are cut after 20 entries.' };
const maxListEntries = 20;

/** As many items as there is room for, and at least one, so that a cursor always goes on. */
function takeFitting(items: readonly Item[], room: number): { items: Item[]; isShortened: boolean } {
  const fitting: Item[] = [];
  let used = 0;
  for (const item of items) {
    const size = Buffer.byteLength(JSON.stringify(item.value)) + 1;
    if (fitting.length === 0 && size > room) return { items: [shorten(item)], isShortened: true };
    used += size;
    if (used > room) break;
    fitting.push(item);
  }
  return { items: fitting, isShortened: false };
}

const shorten = ({ key, value }: Item): Item => ({
  key,
  value: Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, Array.isArray(part) ? part.slice(0, maxListEntries) : part]),
  ),
});

const sizeOf = (answer: ToolAnswer): number => Buffer.byteLength(JSON.stringify(answer));

function sourceOf(sources: readonly Source[]): Source {
  const [first = 'live', ...others] = sources;
  return others.every((one) => one === first) ? first : 'mixed';
}

const maxText = 1200;

/** The answer in a few sentences: fixed words, numbers, instants, addresses of ours, and checked identifiers. */
export function describeAnswer(tool: Pick<Tool, 'title'>, answer: ToolAnswer, isComplete: boolean): string {
  const { subject, measurements, items, total, notes, links } = answer;
  const about = subject.repo ? `${subject.owner}/${subject.repo}` : (subject.org ?? subject.login ?? subject.owner);
  const head = [
    `${tool.title}${about ? ` of ${about}` : ''}, as of ${answer.as_of}.`,
    ...(answer.partial ? ['The data is incomplete: see coverage.'] : []),
  ];
  const tail = [
    ...(items.length > 0
      ? [`${items.length} of ${total ?? items.length} items${answer.next_cursor ? '; more by next_cursor' : ''}.`]
      : []),
    ...(notes.length > 0 ? [`${notes.length} notes.`] : []),
    ...(isComplete ? [] : ['The structured content is too long to be repeated as text.']),
    links.page,
  ];
  const lines = [...head];
  const room = maxText - [...head, ...tail].join('\n').length;
  let used = 0;
  for (const measurement of measurements) {
    const line = describe(measurement);
    used += line.length + 1;
    if (used > room) break;
    lines.push(line);
  }
  return [...lines, ...tail].join('\n');
}

function describe({ label, value, unit, n, interval, missing }: ToolAnswer['measurements'][number]): string {
  if (value === null) return `${label}: no value. ${missing}`;
  const of = [
    ...(n === null ? [] : [`n = ${n}`]),
    ...(interval ? [`95 %: ${quantity(interval.low, unit as Unit)} to ${quantity(interval.high, unit as Unit)}`] : []),
  ];
  return `${label}: ${quantity(value, unit as Unit)}${of.length > 0 ? ` (${of.join(', ')})` : ''}.`;
}
