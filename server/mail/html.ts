/** A piece of HTML that is safe to put into another. */
export interface Markup {
  readonly markup: string;
}

type Content = Markup | string | number | null | readonly Content[];

/** The one way to write HTML here: whatever is put in is escaped, unless it was written this way itself. */
export const html = (parts: TemplateStringsArray, ...contents: readonly Content[]): Markup => ({
  markup: parts.reduce((text, part, index) => text + renderMarkup(contents[index - 1] ?? null) + part),
});

function renderMarkup(content: Content): string {
  if (content === null) return '';
  if (typeof content === 'string') return escaped(content);
  if (typeof content === 'number') return String(content);
  return 'markup' in content ? content.markup : content.map(renderMarkup).join('');
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? '');

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
