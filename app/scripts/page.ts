// Runs by itself on every page with a rail: comfort for browsers that run scripts; everything works without it.
import './charts.ts';
import './copy.ts';
import './exports.ts';
import './palette.ts';

// From now on parts of pages that take long follow the page.
const year = 31_536_000;
const secure = location.protocol === 'https:' ? '; Secure' : '';
if (!/(^|; )das_scripts=1/.test(document.cookie))
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not there on plain http, where standalone runs.
  document.cookie = `das_scripts=1; Path=/; Max-Age=${year}; SameSite=Lax${secure}`;

// A page that is left shows that the next one is on its way.
addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
  if (!(link instanceof HTMLAnchorElement) || event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || link.target || link.download) return;
  const isOtherPage =
    link.origin === location.origin && link.pathname + link.search !== location.pathname + location.search;
  if (isOtherPage && !link.pathname.startsWith('/api/')) showLoading();
});
addEventListener('submit', showLoading);
// A page that comes back from the browser's memory is loaded already.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) document.querySelector('.loading-bar')?.remove();
});

function showLoading() {
  if (document.querySelector('.loading-bar')) return;
  const bar = document.createElement('div');
  bar.className = 'loading-bar';
  bar.setAttribute('role', 'status');
  bar.setAttribute('aria-label', 'Loading');
  document.body.append(bar);
}
