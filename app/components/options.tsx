export interface Option {
  value: string;
  label: string;
  /** Options of the same group stand together. */
  group?: string;
}

/** The options of a select, grouped where they say so. */
export function Options({ options }: { options: readonly Option[] }) {
  const groups = [...new Set(options.map(({ group }) => group))];
  const renderGroup = (wanted: string | undefined) =>
    options
      .filter(({ group }) => group === wanted)
      .map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ));
  return groups.map((group) =>
    group ? (
      <optgroup key={group} label={group}>
        {renderGroup(group)}
      </optgroup>
    ) : (
      renderGroup(undefined)
    ),
  );
}

/** What a text field offers while somebody types; the field names it by `list`. */
export function Suggestions({ id, list }: { id: string; list: readonly string[] | undefined }) {
  if (!list) return null;
  return (
    <datalist id={id}>
      {list.map((choice) => (
        <option key={choice} value={choice} />
      ))}
    </datalist>
  );
}
