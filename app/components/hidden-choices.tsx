/** The other choices of an address, as fields of a form that gets. */
export function HiddenChoices({ search, besides }: { search: string; besides: string[] }) {
  const others = [...new URLSearchParams(search)].filter(([name]) => name !== 'page' && !besides.includes(name));
  return others.map(([name, value]) => <input key={`${name}=${value}`} type="hidden" name={name} value={value} />);
}
