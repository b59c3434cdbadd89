import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';

/** What a query costs, and why it is rejected if it is. */
export interface Price {
  nodes: number;
  cost: number;
  error: { type: string; message: string } | null;
}

const pageLimit = 100;
const nodeLimit = 500_000;

/**
 * Counts the nodes a query asks for, whether they exist or not, and what it costs: a hundredth of the requests that
 * reading it list by list would take, one for each parent of each list.
 */
export function costOf(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
): Price {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  const defaults = (operation.variableDefinitions ?? []).flatMap(({ variable, defaultValue }) =>
    defaultValue?.kind === Kind.INT ? [[variable.name.value, Number(defaultValue.value)]] : [],
  );
  const counter: Counter = {
    fragments,
    variables: { ...Object.fromEntries(defaults), ...variables },
    error: null,
  };
  const { nodes, requests } = countIn(counter, operation.selectionSet, 1);
  const tooMany = `This query requests up to ${nodes} possible nodes which exceeds the maximum limit of 500,000.`;
  if (nodes > nodeLimit) counter.error ??= { type: 'MAX_NODE_LIMIT_EXCEEDED', message: tooMany };
  return { nodes, cost: Math.max(1, Math.round(requests / 100)), error: counter.error };
}

interface Counter {
  fragments: Map<string, FragmentDefinitionNode>;
  variables: Record<string, unknown>;
  error: Price['error'];
}

interface Count {
  nodes: number;
  requests: number;
}

function countIn(counter: Counter, selections: SelectionSetNode | undefined, parents: number): Count {
  const counts = (selections?.selections ?? []).map((selection): Count => {
    if (selection.kind === Kind.FIELD) return countField(counter, selection, parents);
    if (selection.kind === Kind.INLINE_FRAGMENT) return countIn(counter, selection.selectionSet, parents);
    return countIn(counter, counter.fragments.get(selection.name.value)?.selectionSet, parents);
  });
  return counts.reduce(sumOf, { nodes: 0, requests: 0 });
}

const sumOf = (one: Count, other: Count): Count => ({
  nodes: one.nodes + other.nodes,
  requests: one.requests + other.requests,
});

function countField(counter: Counter, field: FieldNode, parents: number): Count {
  const size = sizeOf(counter, field);
  if (size !== null && size > pageLimit) {
    const name = field.name.value;
    const message = `Requesting ${size} records on the \`${name}\` connection exceeds the \`first\` limit of 100 records.`;
    counter.error ??= { type: 'EXCESSIVE_PAGINATION', message };
  }
  if (size === null && asksForItems(field)) {
    const name = field.name.value;
    const message = `You must provide a \`first\` or \`last\` value to properly paginate the \`${name}\` connection.`;
    counter.error ??= { type: 'MISSING_PAGINATION_BOUNDARIES', message };
  }
  const here = parents * (size ?? 1);
  const own = size === null ? { nodes: 0, requests: 0 } : { nodes: here, requests: parents };
  return sumOf(own, countIn(counter, field.selectionSet, here));
}

/** How many items a field asks for: `first`, `last`, or the number of ids; null when it is no list. */
function sizeOf(counter: Counter, field: FieldNode): number | null {
  for (const { name, value } of field.arguments ?? []) {
    if (name.value === 'first' || name.value === 'last') return numberIn(counter, value);
    if (name.value === 'ids' && value.kind === Kind.LIST) return value.values.length;
    if (name.value === 'ids' && value.kind === Kind.VARIABLE)
      return (counter.variables[value.name.value] as unknown[] | undefined)?.length ?? null;
  }
  return null;
}

function numberIn(counter: Counter, value: ValueNode): number | null {
  if (value.kind === Kind.INT) return Number(value.value);
  const given = value.kind === Kind.VARIABLE ? counter.variables[value.name.value] : null;
  return typeof given === 'number' ? given : null;
}

/** Only the items of a connection need a page size; its count alone does not. */
const asksForItems = ({ selectionSet, name }: FieldNode) =>
  name.value !== 'nodes' &&
  name.value !== 'edges' &&
  (selectionSet?.selections ?? []).some(
    (one) => one.kind === Kind.FIELD && (one.name.value === 'nodes' || one.name.value === 'edges'),
  );
