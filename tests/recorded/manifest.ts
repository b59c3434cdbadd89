/** A line about a request, as `manifestOf` writes it. */
interface Line {
  name: string;
  status: number;
  headers: string;
  body: string;
}

interface Manifest {
  lines: Map<string, Line>;
  /** Sets of headers by the name that lines give them. */
  headers: Map<string, Record<string, string>>;
}

/** What differs between what was recorded and what is answered now: a sentence for each request. */
export function differences(recorded: string, now: string): string[] {
  const [before, after] = [manifest(recorded), manifest(now)];
  const gone = [...before.lines.keys()]
    .filter((name) => !after.lines.has(name))
    .map((name) => `${name}: not asked now`);
  const changed = [...after.lines.values()].flatMap((line) => {
    const known = before.lines.get(line.name);
    if (!known) return [`${line.name}: not recorded`];
    const parts = [
      ...(known.status === line.status ? [] : [`status ${known.status} is now ${line.status}`]),
      ...(known.headers === line.headers
        ? []
        : [headerDifference(before.headers.get(known.headers), after.headers.get(line.headers))]),
      ...(known.body === line.body ? [] : ['another body']),
    ];
    return parts.length === 0 ? [] : [`${line.name}: ${parts.join('; ')}`];
  });
  return [...gone, ...changed];
}

function headerDifference(before: Record<string, string> = {}, after: Record<string, string> = {}): string {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names
    .filter((name) => before[name] !== after[name])
    .map((name) => `${name} was ${before[name] ?? 'missing'}, is ${after[name] ?? 'missing'}`)
    .join('; ');
}

function manifest(text: string): Manifest {
  const parsed = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  const sets = parsed.filter((one) => one.are !== undefined);
  return {
    lines: new Map(parsed.filter((one) => one.name !== undefined).map((one) => [one.name, one])),
    headers: new Map(sets.map(({ headers, are }) => [headers, are])),
  };
}
