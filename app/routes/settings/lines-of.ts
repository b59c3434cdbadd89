/** What stands in a field of several lines, one value a line. */
export const linesOf = (form: FormData, name: string): string[] =>
  String(form.get(name) ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
