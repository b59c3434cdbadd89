// Charts of values over time are read by pointer and by keyboard, each column's words beside it and to assistive technology.

for (const plot of document.querySelectorAll<SVGSVGElement>('svg.plot'))
  if (plot.querySelector('.hover')) makeReadable(plot);

interface Column {
  area: SVGRectElement;
  text: string;
}

function makeReadable(plot: SVGSVGElement) {
  const box = document.createElement('div');
  box.className = 'readable';
  box.tabIndex = 0;
  box.setAttribute('role', 'application');
  box.setAttribute('aria-roledescription', 'chart');
  box.setAttribute('aria-label', `Values: ${plot.querySelector('title')?.textContent ?? ''}`);
  box.setAttribute('aria-keyshortcuts', 'ArrowLeft ArrowRight Home End');
  const output = document.createElement('div');
  output.className = 'read-out';
  output.setAttribute('role', 'status');
  plot.before(box);
  box.append(plot, output);
  let columns: Column[] | undefined;
  let at = -1;
  const read = (wanted: number) => {
    columns ??= listColumns(plot);
    columns[at]?.area.classList.remove('read');
    at = Math.max(0, Math.min(wanted, columns.length - 1));
    const column = columns[at];
    if (!column) return;
    column.area.classList.add('read');
    output.textContent = column.text;
    placeBeside(output, column.area, box);
  };
  const clear = () => {
    columns?.[at]?.area.classList.remove('read');
    at = -1;
    output.textContent = '';
  };
  box.addEventListener('focus', () => {
    if (at < 0) read(Number.POSITIVE_INFINITY);
  });
  box.addEventListener('blur', clear);
  box.addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.key === 'Escape') return clear();
    const wanted = {
      ArrowLeft: at < 0 ? Number.POSITIVE_INFINITY : at - 1,
      ArrowRight: at + 1,
      Home: 0,
      End: Number.POSITIVE_INFINITY,
    }[event.key];
    if (wanted === undefined) return;
    event.preventDefault();
    read(wanted);
  });
  box.addEventListener('pointermove', ({ target }) => {
    columns ??= listColumns(plot);
    const pointed = columns.findIndex(({ area }) => area === target);
    if (pointed >= 0 && pointed !== at) read(pointed);
  });
  box.addEventListener('pointerleave', () => {
    if (document.activeElement !== box) clear();
  });
}

/** Columns from left to right, each with the marks that stand in it. Their words no longer show as the browser's own tip. */
function listColumns(plot: SVGSVGElement): Column[] {
  const marks = [...plot.querySelectorAll('.annotation')].map((mark) => ({
    x: middle(mark.querySelector('.happening') ?? mark),
    text: mark.querySelector('title')?.textContent ?? '',
  }));
  const areas = [...plot.querySelectorAll<SVGRectElement>('rect:has(> title)')].map((area) => ({
    area,
    edges: area.getBoundingClientRect(),
  }));
  return areas
    .sort((one, other) => one.edges.left - other.edges.left)
    .map(({ area, edges }) => {
      const title = area.querySelector('title');
      const values = (title?.textContent ?? '').replace(' – ', '\n').replaceAll('; ', '\n');
      if (title) title.textContent = '';
      const inside = marks.filter(({ x }) => x >= edges.left && x < edges.right);
      return { area, text: [values, ...inside.map(({ text }) => text)].join('\n') };
    });
}

const distance = 8;

/** Beside the column, on the side that has more room, and never beyond the chart. */
function placeBeside(output: HTMLElement, area: Element, box: HTMLElement) {
  const { left, width } = box.getBoundingClientRect();
  const edges = area.getBoundingClientRect();
  const wanted =
    middle(area) < left + width / 2 ? edges.right - left + distance : edges.left - left - distance - output.offsetWidth;
  output.style.left = `${Math.max(0, Math.min(wanted, width - output.offsetWidth))}px`;
}

function middle(element: Element): number {
  const { left, right } = element.getBoundingClientRect();
  return (left + right) / 2;
}
