/** An expression in the name of a job, whose value the file does not say. */
const expression = /\$\{\{(?:(?!\$\{\{).)*?\}\}/s;

/** What a name says for certain, in its order: between these parts stands what its expressions become. */
export const partsOfName = (written: string): string[] => written.split(expression);

/** Whether a text has these parts in their order, with anything between them; in one pass. */
export function fits(text: string, [first = '', ...others]: readonly string[]): boolean {
  const last = others.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= text.length - last.length;
}
