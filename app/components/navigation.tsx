import { figures } from '../../server/domain/quantity.ts';
import { type At, timeText } from '../charts/zone-time.ts';
import { Bell, type BellProps } from './bell.tsx';
import { Icon, type IconName, Mark } from './icon.tsx';
import { Links, type PageLink } from './page.tsx';
import { SavedViews, type SavedViewsProps } from './saved-views.tsx';
import { HiddenParams } from './shared-params.tsx';

export type Theme = 'system' | 'light' | 'dark';

export type RailLink = PageLink & { icon: IconName };

export interface NavigationProps {
  product: string;
  /** Where something is watched. */
  bell?: BellProps;
  /** The switch on top: whose repositories are looked at. */
  scope?: Omit<ScopeProps, 'search'>;
  /** Where everything is found by name; with scripts a dialog opens on the page. */
  search?: string;
  /** Only what the caller may open. */
  links: readonly RailLink[];
  /** Further groups with a heading, such as administration. */
  groups?: readonly { label: string; links: readonly PageLink[] }[];
  /** What the sample organization goes through, to choose from. */
  situations?: readonly PageLink[];
  /** What the reader saved, where they can save. */
  views?: SavedViewsProps;
  account?: AccountProps;
  /** Without it there is no switch and the system decides. */
  theme?: ThemeProps;
  /** Shown only below one fifth. */
  quota?: { remaining: number; limit: number; resetsAt: At | null; zone: string };
}

interface AccountProps {
  login: string;
  /** `organization`, `standalone`. */
  mode?: string;
  href?: string;
  signOut?: { action: string; csrf: string };
}

interface ThemeProps {
  current: Theme;
  /** Takes `theme` and `return_to` by POST. */
  action: string;
  returnTo: string;
  csrf?: string;
}

/** The left rail; on narrow screens the same list folds under a menu at the top. */
export function Navigation(props: NavigationProps) {
  const { product, bell, scope, search, links, groups = [], situations = [], views, account, theme, quota } = props;
  return (
    <header className="rail">
      <a className="product" href="/">
        <Mark />
        {product}
      </a>
      {bell ? <Bell {...bell} /> : null}
      <details className="menu">
        <summary>Menu</summary>
        {scope ? <Scope {...scope} search={search} /> : null}
        {search ? (
          <a className="search" href={search} data-palette>
            Search <kbd>/</kbd>
          </a>
        ) : null}
        <nav aria-label="Main">
          <ul>
            {links.map(({ label, href, current, icon }) => (
              <li key={href}>
                <a href={href} aria-current={current ? 'page' : undefined}>
                  <Icon name={icon} />
                  {label}
                </a>
              </li>
            ))}
          </ul>
          {groups.map((group) => (
            <section key={group.label} aria-label={group.label}>
              <h2>{group.label}</h2>
              <Links links={group.links} />
            </section>
          ))}
        </nav>
        {situations.length > 0 ? <Situations links={situations} /> : null}
        {views ? <SavedViews {...views} /> : null}
        {quota && quota.remaining < quota.limit / 5 ? <Quota {...quota} /> : null}
        {account ? <Account {...account} /> : null}
        {theme ? <ThemeSwitch {...theme} /> : null}
      </details>
    </header>
  );
}

/** The same pages over another state of the sample organization. */
const Situations = ({ links }: { links: readonly PageLink[] }) => (
  <section aria-label="Situation">
    <h2>Situation</h2>
    <ul>
      {links.map(({ label, href, current }) => (
        <li key={href}>
          <a href={href} aria-current={current ? 'true' : undefined}>
            {label}
          </a>
        </li>
      ))}
    </ul>
  </section>
);

interface ScopeProps {
  label: string;
  groups: readonly { label: string; links: readonly PageLink[] }[];
  /** Where a name is looked up. */
  search: string | undefined;
}

/** What is looked at, and the way to something else: by name, or one of those at hand. */
function Scope({ label, groups, search }: ScopeProps) {
  const [action, query = ''] = search?.split('?') ?? [];
  return (
    <details className="scope">
      <summary>{label}</summary>
      {action ? (
        <search>
          <form method="get" action={action}>
            <HiddenParams search={query} besides={['q']} />
            <input type="search" name="q" aria-label="Find by name" placeholder="Find by name" data-palette-text />
            <button type="submit">Find</button>
          </form>
        </search>
      ) : null}
      {groups.map((group) => (
        <div key={group.label}>
          <p className="group">{group.label}</p>
          <Links links={group.links} />
        </div>
      ))}
    </details>
  );
}

function Quota({ remaining, limit, resetsAt, zone }: NonNullable<NavigationProps['quota']>) {
  return (
    <p className="notice partial" role="note">
      <strong>API quota is low.</strong> {figures(remaining)} of {figures(limit)} requests left
      {resetsAt === null ? '' : `, full again at ${timeText(resetsAt, zone)} (${zone})`}. Pages may show stored data.
    </p>
  );
}

function Account({ login, mode, href, signOut }: AccountProps) {
  return (
    <section className="account" aria-label="Account">
      <p>
        {href ? <a href={href}>{login}</a> : login}
        {mode ? <span className="muted"> {mode}</span> : null}
      </p>
      {signOut ? (
        <form method="post" action={signOut.action}>
          <input type="hidden" name="csrf" value={signOut.csrf} />
          <button type="submit" className="plain">
            Sign out
          </button>
        </form>
      ) : null}
    </section>
  );
}

function ThemeSwitch({ current, action, returnTo, csrf }: ThemeProps) {
  return (
    <form className="theme" method="post" action={action} aria-label="Theme">
      <input type="hidden" name="return_to" value={returnTo} />
      {csrf === undefined ? null : <input type="hidden" name="csrf" value={csrf} />}
      {themes.map(([theme, label]) => (
        <button key={theme} type="submit" name="theme" value={theme} className="plain" aria-pressed={theme === current}>
          {label}
        </button>
      ))}
    </form>
  );
}

const themes = [
  ['system', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;
