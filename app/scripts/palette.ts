/** The palette over pages, repositories, workflows, people and actions, or the list of keys. */

interface Found {
  label: string;
  detail: string;
  href: string;
}

const keys: readonly [string, string][] = [
  ['/ or Ctrl-K', 'Search'],
  ['?', 'Keys'],
  ['Up, Down, Enter', 'Choose a result'],
  ['Esc', 'Close'],
];

export function openPalette(view: 'search' | 'keys'): void {
  document.querySelector('dialog.palette')?.remove();
  const dialog = document.createElement('dialog');
  dialog.className = 'palette';
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close());
  if (view === 'keys') showKeys(dialog);
  else showSearch(dialog);
  document.body.append(dialog);
  dialog.showModal();
}

function showKeys(dialog: HTMLElement) {
  dialog.setAttribute('aria-label', 'Keys');
  const list = document.createElement('dl');
  for (const [key, meaning] of keys) list.append(textElement('dt', key), textElement('dd', meaning));
  dialog.append(list);
}

const waitMs = 120;

function showSearch(dialog: HTMLElement) {
  dialog.setAttribute('aria-label', 'Search');
  const input = document.createElement('input');
  input.type = 'search';
  input.placeholder = 'Search pages, repositories, workflows, people';
  input.setAttribute('aria-label', 'Search');
  input.setAttribute('role', 'combobox');
  input.setAttribute('aria-controls', 'palette-results');
  input.setAttribute('aria-expanded', 'true');
  const list = document.createElement('ul');
  list.id = 'palette-results';
  list.setAttribute('role', 'listbox');
  dialog.append(input, list);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let latest = 0;
  const search = async () => {
    const number = ++latest;
    const found = await find(input.value.trim());
    if (number === latest) showResults(list, found);
  };
  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(search, waitMs);
  });
  dialog.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') move(list, 1, event);
    else if (event.key === 'ArrowUp') move(list, -1, event);
    else if (event.key === 'Enter') list.querySelector<HTMLElement>('[aria-selected="true"] a')?.click();
  });
  void search();
}

/** null where the search did not answer. */
async function find(text: string): Promise<Found[] | null> {
  const answer = await fetch(`/api/search?${new URLSearchParams({ q: text })}`).catch(() => null);
  return answer?.ok ? ((await answer.json()) as { items: Found[] }).items : null;
}

function showResults(list: HTMLElement, found: Found[] | null) {
  const options = (found ?? []).map(({ label, detail, href }, index) => {
    const option = document.createElement('li');
    option.setAttribute('role', 'option');
    option.setAttribute('aria-selected', String(index === 0));
    const link = document.createElement('a');
    link.href = href;
    link.tabIndex = -1;
    const kind = textElement('span', detail);
    kind.className = 'muted';
    link.append(textElement('span', label), kind);
    option.append(link);
    return option;
  });
  const nothing = found === null ? 'Search is not available right now.' : 'Nothing found.';
  list.replaceChildren(...(options.length > 0 ? options : [textElement('li', nothing)]));
}

function move(list: HTMLElement, by: number, event: Event) {
  event.preventDefault();
  const options = [...list.querySelectorAll('[role="option"]')];
  const current = options.findIndex((option) => option.getAttribute('aria-selected') === 'true');
  const next = options[(current + by + options.length) % options.length];
  for (const option of options) option.setAttribute('aria-selected', String(option === next));
  next?.scrollIntoView({ block: 'nearest' });
}

function textElement(name: string, text: string): HTMLElement {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
}
