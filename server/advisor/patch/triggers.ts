import type { SyntaxList } from '../../scan/yaml-syntax.ts';
import type { Change } from './change.ts';
import { fillInFlow, planInsert } from './insert.ts';
import { columnOf } from './layout.ts';
import { insertBelow, lastLineOf, type Splice } from './lines.ts';
import { isEmpty, isFlow, locate, type Place, refuseForm, refuseParts } from './locate.ts';
import type { Plan } from './plan.ts';
import { Refused } from './refused.ts';
import { formatEntries, formatFlow } from './render.ts';
import { cutValue } from './replace.ts';
import type { Source } from './source.ts';

type Filters = Extract<Change, { do: 'filter-triggers' }>['filters'];

export function planTriggers(source: Source, { filters }: { filters: Filters }): Plan {
  const place = locate(source, ['on']);
  const { node } = place;
  if (place.missing.length > 0) throw refuseForm(place);
  refuseUnknownEvents(place, filters);
  if (node.kind === 'map') return filterMap(source, filters);
  refuseParts(source, place);
  return { splices: toMap(source, place, filters), comments: [], claims: [['on']] };
}

/** The events in their order, with where each is written. */
function eventsOf({ node }: Place) {
  const nodes = node.kind === 'list' ? node.items : node.kind === 'map' ? node.entries.map(({ key }) => key) : [node];
  return nodes.map((one) => ({ name: one.kind === 'scalar' ? one.value : null, start: one.start, end: one.end }));
}

function refuseUnknownEvents(place: Place, filters: Filters) {
  const names = eventsOf(place).map(({ name }) => name);
  if (names.some((name) => !name) || new Set(names).size < names.length) throw refuseForm(place);
  const missing = Object.keys(filters).find((event) => !names.includes(event));
  if (missing) throw new Refused('unusual_yaml', `“${missing}” does not start it.`, ['on'], [place.node.start]);
}

function filterMap(source: Source, filters: Filters): Plan {
  const plans = Object.entries(filters).flatMap(([event, patterns]) => {
    const place = locate(source, ['on', event]);
    if (isEmpty(place.node) && isFlow(place.parent)) return [fillInFlow(place, patterns)];
    return Object.entries(patterns).map(([key, value]) =>
      planInsert(source, { do: 'insert', at: place.path, key, value, after: [] }),
    );
  });
  return {
    splices: plans.flatMap(({ splices }) => splices),
    comments: [],
    claims: plans.flatMap(({ claims }) => claims),
  };
}

function toMap(source: Source, place: Place, filters: Filters): Splice[] {
  const { node, parent } = place;
  const events = eventsOf(place).map(({ name, start, end }) => ({
    name: name ?? '',
    text: source.text.slice(start, end),
  }));
  if (isFlow(parent)) {
    const entries = events.map(({ name, text }) => {
      const filter = filters[name];
      return filter ? `${text}: ${formatFlow(filter)}` : text;
    });
    return [{ offset: node.start, end: node.end, insert: `{${entries.join(', ')}}` }];
  }
  return node.kind === 'list' && !node.isFlow
    ? itemsToKeys(source, place, node, filters)
    : lineToMap(source, place, events, filters);
}

/** `on: [push, pull_request]` and `on: push`. */
function lineToMap(source: Source, place: Place, events: { name: string; text: string }[], filters: Filters): Splice[] {
  const { layout, lines, text } = source;
  const { entry, node } = place;
  if (!entry) throw refuseForm(place);
  const column = columnOf(text, lines, entry.key.start) + layout.mapStep;
  const added = events.flatMap(({ name, text: event }) => [
    `${' '.repeat(column)}${event}:`,
    ...formatEntries(filters[name] ?? {}, column + layout.mapStep, layout),
  ]);
  return [cutValue(source, place), insertBelow(source, lastLineOf(source, node, column), added)];
}

/** A list of one event a line: each dash goes, each event becomes a key in its line. */
function itemsToKeys(source: Source, place: Place, list: SyntaxList, filters: Filters): Splice[] {
  const { layout, lines, text } = source;
  const keyColumn = place.entry ? columnOf(text, lines, place.entry.key.start) : 0;
  const dashColumn = columnOf(text, lines, list.start);
  const padding = dashColumn > keyColumn ? '' : ' '.repeat(layout.mapStep);
  const column = dashColumn + padding.length;
  return list.items.flatMap((item) => {
    const line = lines.of(item.start);
    const dash = text.indexOf('-', lines.start(line));
    if (item.kind !== 'scalar' || item.style === 'block' || !/^-[ ]+$/.test(text.slice(dash, item.start)))
      throw refuseForm(place);
    const key = { offset: dash, end: item.end, insert: `${padding}${text.slice(item.start, item.end)}:` };
    const added = formatEntries(filters[item.value] ?? {}, column + layout.mapStep, layout);
    return added.length === 0 ? [key] : [key, insertBelow(source, lastLineOf(source, item, column + 1), added)];
  });
}
