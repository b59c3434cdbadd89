import type { Rule } from './labels.ts';

const dayMs = 86_400_000;

/** For how long a rule can be muted with one press, in days. */
export const muteDays = ['1', '7', '30'] as const;

const text = (form: FormData, name: string) => String(form.get(name) ?? '').trim();

/** `owner/name` is a repository, a name alone an organization. */
export function parseScope(form: FormData): { scope: string | undefined } {
  const choice = text(form, 'scope');
  return { scope: choice === '' ? undefined : toScope(choice) };
}

/** A new rule; a webhook endpoint is chosen together with its channel. */
export function parseNewRule(form: FormData): Record<string, string | undefined> {
  const [channel, endpoint] = text(form, 'channel').split(':');
  const target = endpoint === undefined ? {} : { channel, destination: endpoint };
  return { ...parseScope(form), ...target };
}

const toScope = (choice: string): string =>
  /^(repo|org):/.test(choice) ? choice : `${choice.includes('/') ? 'repo' : 'org'}:${choice}`;

/** The values behind a back-test that was requested with these fields. */
export function backTestCsvHref(submitted: Record<string, string>): string {
  const names = ['metric', 'threshold', 'window_hours', 'min_sample'];
  const given = names.flatMap((name) => (submitted[name] ? [[name, submitted[name]]] : []));
  const query = new URLSearchParams([['scope', toScope((submitted.scope ?? '').trim())], ...given, ['format', 'csv']]);
  return `/api/alerts/preview?${query}`;
}

type Tried = Pick<Rule, 'metric' | 'scope' | 'threshold' | 'window_hours' | 'min_sample'>;

/** A saved rule as what is back-tested. */
export const toBackTest = ({ metric, scope, threshold, window_hours: hours, min_sample: sample }: Tried) => ({
  metric,
  scope,
  threshold: String(threshold),
  window_hours: String(hours),
  min_sample: String(sample),
});

/** The fields of a rule that is changed: what was emptied is removed where it may be, and rejected where not. */
export function parseChanges(form: FormData): Record<string, string | null> {
  const names = [...new Set(form.keys())].filter((name) => !formNames.includes(name));
  return Object.fromEntries(
    names.map((name) => [name, text(form, name) || (requiredNames.includes(name) ? '' : null)]),
  );
}

/** What every form carries. */
const formNames = ['csrf', 'intent', 'id'];
const requiredNames = ['threshold', 'window_hours', 'destination'];

/** Until when a rule is muted that is muted at `now`, epoch milliseconds; an unknown span is rejected as it came. */
export function parseMute(form: FormData, now: number): { muted_until: string } {
  const days = text(form, 'mute_for');
  const isOffered = muteDays.some((one) => one === days);
  return { muted_until: isOffered ? new Date(now + Number(days) * dayMs).toISOString() : days };
}

export const parseEnabled = (form: FormData): { enabled: boolean } => ({ enabled: form.get('enabled') === 'true' });

/** What stood in the fields of a form, for the same form drawn again. */
export function parseFields(form: FormData): Record<string, string> {
  return Object.fromEntries(
    [...form].flatMap(([name, value]) => (typeof value === 'string' && name !== 'csrf' ? [[name, value]] : [])),
  );
}
