// The palette: a dialog over the page with what the search page answers, one fetch for each pause in typing.
const link = document.querySelector<HTMLAnchorElement>('a[data-palette]');
const pauseMs = 120;

if (link) {
  link.addEventListener('click', (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    open(link.href);
  });
  const typed = document.querySelector<HTMLInputElement>('[data-palette-text]');
  typed?.addEventListener('input', () => {
    open(link.href, typed.value);
    typed.value = '';
  });
  addEventListener('keydown', (event) => {
    const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k';
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.target);
    if (isCommand || (isPlain && event.key === '/')) {
      event.preventDefault();
      open(link.href);
    } else if (isPlain && event.key === '?') {
      event.preventDefault();
      openKeys(link.href);
    }
  });
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName))
  );
}

/** A modal dialog that goes with its closing; the browser gives the focus back to where it was. */
function showDialog(label: string): HTMLDialogElement | null {
  if (document.querySelector('dialog.palette')) return null;
  const dialog = make('dialog', { class: 'palette', 'aria-label': label });
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

async function openKeys(address: string) {
  const dialog = showDialog('Keys');
  if (!dialog) return;
  const close = make('button', { type: 'button' }, 'Close');
  close.addEventListener('click', () => dialog.close());
  dialog.append(close);
  const page = await load(address);
  dialog.prepend(make('h2', {}, 'Keys'), ...(page?.querySelectorAll('[data-keys]') ?? []));
}

function open(address: string, text = '') {
  const dialog = showDialog('Search');
  if (!dialog) return;
  const list = make('div', { id: 'palette-list', role: 'listbox', 'aria-label': 'Results' });
  const status = make('p', { role: 'status', class: 'muted' });
  const input = make('input', {
    type: 'text',
    role: 'combobox',
    'aria-label': 'Search',
    'aria-controls': list.id,
    'aria-expanded': 'false',
    'aria-autocomplete': 'list',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: 'Page, repository, workflow, person',
  });
  dialog.append(input, list, status);
  input.value = text;
  input.focus();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let latest = 0;
  const look = async () => {
    const turn = ++latest;
    const url = new URL(address);
    url.searchParams.set('q', input.value.trim());
    const page = await load(url.href);
    // A slower answer to an earlier text is no answer to this one.
    if (turn !== latest) return;
    fill(list, page);
    const { length } = list.querySelectorAll('[role=option]');
    const failure = page?.querySelector('.failure')?.textContent;
    status.textContent = page ? (failure ?? (length === 1 ? '1 result' : `${length} results`)) : 'Search failed.';
    input.setAttribute('aria-expanded', String(length > 0));
    choose(input, list, 0);
  };
  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(look, pauseMs);
  });
  input.addEventListener('keydown', (event) => move(event, input, list));
  list.addEventListener('click', ({ target }) => {
    const option = target instanceof Element ? target.closest<HTMLElement>('[role=option]') : null;
    if (option) go(option);
  });
  look();
}

/** The search page as it answers now; null where it cannot be read. Who is signed out meanwhile goes on to sign in. */
async function load(address: string): Promise<Document | null> {
  const answer = await fetch(address).catch(() => null);
  if (!answer) return null;
  if (answer.redirected && new URL(answer.url).pathname !== new URL(address).pathname) location.assign(answer.url);
  const text = await answer.text().catch(() => '');
  return new DOMParser().parseFromString(text, 'text/html');
}

/** Groups and links of the page become groups and options. */
function fill(list: HTMLElement, page: Document | null) {
  list.replaceChildren();
  for (const section of page?.querySelectorAll('[data-results] section') ?? []) {
    const label = section.getAttribute('aria-label') ?? '';
    const group = make('div', { role: 'group', 'aria-label': label });
    group.append(make('p', { class: 'group', 'aria-hidden': 'true' }, label));
    for (const item of section.querySelectorAll('li')) {
      const target = item.querySelector('a');
      const href = target?.getAttribute('href') ?? '';
      const option = make(
        'div',
        { role: 'option', 'aria-selected': 'false', 'data-href': href },
        target?.textContent ?? '',
      );
      const detail = item.querySelector('.muted')?.textContent;
      if (detail) option.append(make('span', { class: 'muted' }, detail));
      group.append(option);
    }
    list.append(group);
  }
  for (const [index, option] of list.querySelectorAll('[role=option]').entries()) option.id = `palette-${index}`;
}

function move(event: KeyboardEvent, input: HTMLElement, list: HTMLElement) {
  const options = [...list.querySelectorAll<HTMLElement>('[role=option]')];
  const at = options.findIndex((one) => one.id === input.getAttribute('aria-activedescendant'));
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const chosen = options[at];
  if (step && options.length > 0) {
    event.preventDefault();
    choose(input, list, (at + step + options.length) % options.length);
  } else if (event.key === 'Enter' && chosen) {
    event.preventDefault();
    go(chosen);
  }
}

function choose(input: HTMLElement, list: HTMLElement, index: number) {
  const options = [...list.querySelectorAll<HTMLElement>('[role=option]')];
  for (const [at, option] of options.entries()) option.setAttribute('aria-selected', String(at === index));
  const chosen = options[index];
  if (chosen) input.setAttribute('aria-activedescendant', chosen.id);
  else input.removeAttribute('aria-activedescendant');
  chosen?.scrollIntoView({ block: 'nearest' });
}

const go = (option: HTMLElement) => location.assign(option.dataset.href ?? '');

function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, string>,
  text = '',
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.textContent = text;
  return element;
}
