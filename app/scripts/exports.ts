// A file takes as long as its figures: its link says that it is being made, and then what it said before.
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
  try {
    const response = await fetch(link.href);
    const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
    if (!response.ok || !name) throw new Error(`no file: ${response.status}`);
    save(await response.blob(), name);
  } catch {
    // The address itself says what is wrong.
    location.assign(link.href);
  } finally {
    link.textContent = label;
    link.ariaBusy = null;
  }
}

function save(file: Blob, name: string) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
