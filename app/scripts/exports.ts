// A file takes as long as its figures: its link says that it is being made and how far it is, and then what it said before.
addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
  if (!(link instanceof HTMLAnchorElement) || event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || link.target) return;
  const isFile = link.origin === location.origin && new URLSearchParams(link.search).has('format');
  if (!isFile) return;
  event.preventDefault();
  if (link.ariaBusy !== 'true') prepare(link);
});

async function prepare(link: HTMLAnchorElement) {
  const label = link.textContent;
  link.ariaBusy = 'true';
  link.textContent = `Preparing ${label}…`;
  announce(`Preparing ${label}`);
  try {
    const response = await fetch(link.href);
    const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
    if (!response.ok || !name || !response.body) {
      // The address itself says what is wrong.
      location.assign(link.href);
      return;
    }
    const type = response.headers.get('content-type') ?? '';
    const countLines = createLineCounter();
    const parts: BlobPart[] = [];
    const chunks = response.body.getReader();
    for (let chunk = await chunks.read(); chunk.value; chunk = await chunks.read()) {
      parts.push(chunk.value);
      // The first line names the columns.
      const rows = countLines(chunk.value) - 1;
      if (type.startsWith('text/csv') && rows > 0) link.textContent = `Preparing ${label}… ${describeRows(rows)}`;
    }
    save(new Blob(parts, { type }), name);
    announce(`${name} downloaded`);
  } catch {
    announce(`${label} could not be downloaded. Try again.`, true);
  } finally {
    link.textContent = label;
    link.ariaBusy = null;
  }
}

const describeRows = (rows: number) => `${rows.toLocaleString('en-US')} ${rows === 1 ? 'row' : 'rows'}`;

/** How many lines of CSV have ended so far; a line break within quotes ends none. */
function createLineCounter() {
  const [quote, lineFeed] = [0x22, 0x0a];
  let isQuoted = false;
  let lines = 0;
  return (bytes: Uint8Array) => {
    for (const byte of bytes) {
      if (byte === quote) isQuoted = !isQuoted;
      else if (byte === lineFeed && !isQuoted) lines += 1;
    }
    return lines;
  };
}

/** Says it to those who do not see the link change; a failure to everybody. */
function announce(text: string, isFailure = false) {
  const status = document.querySelector<HTMLElement>('#export-status') ?? document.createElement('p');
  status.id = 'export-status';
  status.role = 'status';
  status.className = isFailure ? 'notice problem export-failure' : 'sr';
  document.body.append(status);
  status.textContent = text;
}

function save(file: Blob, name: string) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
