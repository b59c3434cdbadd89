import type { Filter, FilterBarProps } from './filter-bar.tsx';
import { describeRange, splitRange } from './period-filters.ts';

type Chosen = Pick<FilterBarProps, 'filters' | 'lead' | 'note'>;

/** What was chosen, in words, where nothing can be chosen. */
export function ChosenFilters({ filters, lead, note }: Chosen) {
  const chosen = describeChosen(filters);
  if (!lead && chosen.length === 0 && !note) return null;
  return (
    <p className="muted">
      {lead ? <strong>{lead}</strong> : null} {[...chosen, ...(note ? [''] : [])].join(' · ')}
      {note}
    </p>
  );
}

/** What is chosen, each in words; a parameter that is offered twice, as presets and as a field, once. */
export function describeChosen(filters: readonly Filter[]): string[] {
  const byName = Map.groupBy(filters, ({ name }) => name);
  return [...byName.values()].flatMap((alike) => {
    const [{ kind, label, value } = { kind: 'text', label: '', value: null }] = alike;
    const words = alike.map(describeValue).find((one) => one !== null) ?? (isEmpty(value) ? null : String(value));
    if (words === null) {
      const other = alike.find((one) => one.kind === 'range')?.or;
      return other ? describeChosen([{ kind: 'links', ...other, label: otherLabel(other.label) }]) : [];
    }
    return kind === 'menu' ? words : `${label}: ${words}`;
  });
}

/** The label of a choice without the word that joins it to the one before. */
const otherLabel = (label: string) => label.replace(/^or (.)/, (_, first: string) => first.toUpperCase());

/** What is chosen, as it is offered; null for nothing, and for what is not among the options. */
function describeValue(filter: Filter): string | null {
  const { kind, value } = filter;
  const option = 'options' in filter ? filter.options.find((one) => one.value === String(value ?? '')) : undefined;
  if (option) return option.label;
  if (isEmpty(value)) return null;
  if (kind === 'range') return splitRange(String(value)) ? describeRange(String(value)) : null;
  if (kind === 'number') return filter.unit ? `${value} ${filter.unit}` : String(value);
  return 'options' in filter ? null : String(value);
}

const isEmpty = (value: Filter['value']) => value === null || value === '';
