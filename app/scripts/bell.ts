// Runs by itself in the browser, on every page that has a bell: once a minute, while somebody looks, it asks which
// alerts are open. Where notifications were allowed it asks behind other tabs too, and tells of what is new.

/** Of an answer of `GET /api/alerts`, what is reported here. */
interface AlertEvent {
  id: number;
  label: string;
  repo: string | null;
  scope: string;
  value: number | null;
  unit: string;
  threshold: number;
  channel: string;
  fired_at: string;
  explained_at: string;
  is_open: boolean;
}

interface Alerts {
  events: AlertEvent[];
  open_count: number;
}

const everyMs = 60_000;
const finalStatuses = [401, 403, 404];
const { localStorage: storage } = window;

const bell = document.querySelector('[data-bell]');
let isOver = bell === null;
// What the page came with is as young as the page.
let due = bell?.getAttribute('data-bell') === 'unknown' ? 0 : Date.now() + everyMs;
let timer: ReturnType<typeof setTimeout> | undefined;

document.addEventListener('visibilitychange', look);
look();

function look() {
  clearTimeout(timer);
  if (isOver || (document.hidden && !isNotifying())) return;
  const wait = due - Date.now();
  if (wait > 0) {
    timer = setTimeout(look, wait);
    return;
  }
  due = Date.now() + everyMs;
  // Of many tabs that nobody looks at one requests.
  const isRecent = Math.abs(Date.now() - Number(storage.getItem('bell-requested-at'))) < everyMs / 2;
  if (document.hidden && isRecent) look();
  else request().then(look);
}

async function request() {
  storage.setItem('bell-requested-at', String(Date.now()));
  const answer = await fetch('/api/alerts?events=1').catch(() => null);
  isOver = answer !== null && finalStatuses.includes(answer.status);
  const list: Alerts | null = answer?.ok ? await answer.json().catch(() => null) : null;
  show(list?.open_count ?? null);
  if (list) notifyOfNew(list.events.filter((event) => event.is_open && event.channel === 'browser'));
}

/** How many are open; null where that is not known. */
function show(open: number | null) {
  const [known, unknown] = [getPart(bell, 'open'), getPart(bell, 'unknown')];
  if (open !== null) known.textContent = `${open} open alert${open === 1 ? '' : 's'}`;
  known.parentElement?.toggleAttribute('hidden', open === null);
  unknown.hidden = open !== null;
  known.closest('a')?.toggleAttribute('hidden', open === 0);
}

function notifyOfNew(open: AlertEvent[]) {
  const before = storage.getItem('bell-notified-of');
  const firings = [before ?? '', ...open.map((event) => event.fired_at)];
  storage.setItem('bell-notified-of', firings.sort().at(-1) ?? '');
  // What was open at the first look is no news.
  if (before !== null && isNotifying()) open.filter((event) => event.fired_at > before).forEach(notify);
}

function notify({ id, label, repo, scope, value, threshold, unit, explained_at }: AlertEvent) {
  const word = unit === 'percent' ? ' %' : unit === 'count' ? '' : ` ${unit}`;
  const body = `${value}${word}, threshold ${threshold}${word}`;
  // The same from another tab takes its place.
  const notification = new Notification(`${label} in ${repo ?? scope}`, { body, tag: `alert-${id}` });
  notification.onclick = () => {
    window.focus();
    location.assign(explained_at);
  };
}

function isNotifying() {
  return (
    storage.getItem('bell-notifies') === 'yes' && 'Notification' in window && Notification.permission === 'granted'
  );
}

// On the page of alerts: each browser says for itself whether it tells of them that way.
const offer = document.querySelector('[data-notifications]');
if (offer && 'Notification' in window) {
  offer.addEventListener('click', async ({ target }) => {
    if (!(target instanceof HTMLButtonElement)) return;
    storage.setItem('bell-notifies', target.value);
    if (target.value === 'yes') await Notification.requestPermission();
    sayWhatIsChosen();
  });
  sayWhatIsChosen();
}

function sayWhatIsChosen() {
  const chosen = isNotifying() ? 'on' : 'off';
  const state = Notification.permission === 'denied' ? 'denied' : chosen;
  for (const one of ['off', 'on', 'denied']) getPart(offer, one).hidden = one !== state;
  offer?.removeAttribute('hidden');
}

function getPart(root: Element | null, name: string): HTMLElement {
  const part = root?.querySelector<HTMLElement>(`[data-part="${name}"]`);
  if (part) return part;
  throw new Error(`The page has no ${name}.`);
}
