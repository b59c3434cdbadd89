import type { ReactNode } from 'react';
import { Link } from '../charts/link.tsx';
import { useSharedParams } from './shared-params.tsx';

export interface PageLink {
  label: string;
  href: string;
  current?: boolean;
}

export type PageProps = Frame & Described;

/** What search engines and link previews show; the lead itself where that is plain text. */
export type Described = { lead: string; description?: string } | { lead?: ReactNode; description: string };

interface Frame {
  title: string;
  /** The title on the page, where more of it is known later than the page; `title` otherwise. */
  heading?: ReactNode;
  /** One sentence under the title: what this page answers, or what changed. */
  lead?: ReactNode;
  /** From the top down, without this page. */
  breadcrumbs?: readonly PageLink[];
  tabs?: readonly PageLink[];
  /** Links and forms that act on the whole page. */
  actions?: ReactNode;
  /** Notices that concern the whole page. */
  note?: ReactNode;
  children: ReactNode;
}

/** The frame inside the shell: where we are, what it is called, what can be done, then the content. */
export function Page({
  title,
  heading,
  lead,
  description,
  breadcrumbs = [],
  tabs = [],
  actions,
  note,
  children,
}: PageProps) {
  // Tabs are of the page above when one of them leads to it, else of this one.
  const above = breadcrumbs.at(-1);
  const place = above && tabs.some(({ href }) => href === above.href) ? above.label : title;
  return (
    <>
      <title>{documentTitle(title, breadcrumbs, tabs)}</title>
      <meta name="description" content={description ?? String(lead)} />
      <header className="page-head">
        {breadcrumbs.length ? <Breadcrumbs links={breadcrumbs} /> : null}
        <div className="page-title">
          <h1>{heading ?? title}</h1>
          {actions ? <div className="actions">{actions}</div> : null}
        </div>
        {lead ? <p className="prose">{lead}</p> : null}
        {tabs.length ? <Tabs links={tabs} label={`Pages of ${place}`} /> : null}
      </header>
      {note}
      {children}
    </>
  );
}

/** What a browser tab is called: the tab of the page, the page, what it is part of, the product; each named once. */
function documentTitle(title: string, breadcrumbs: readonly PageLink[], tabs: readonly PageLink[]): string {
  const tab = tabs.find(({ current }) => current)?.label;
  // The first breadcrumb is the list of everything.
  const parent = breadcrumbs.slice(1).at(-1)?.label;
  const isNew = (part: string | undefined) => part !== undefined && !title.toLowerCase().includes(part.toLowerCase());
  const parts = [isNew(tab) && tab, title, isNew(parent) && parent, 'Delivery Analytics'];
  return parts.filter(Boolean).join(' · ');
}

function Breadcrumbs({ links }: { links: readonly PageLink[] }) {
  const keep = useSharedParams();
  return (
    <nav className="crumbs" aria-label="Breadcrumbs">
      <ol>
        {links.map(({ label, href }) => (
          <li key={href}>
            <Link href={keep(href)}>{label}</Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** Links in a list, the one to this page marked. */
export function Links({ links }: { links: readonly PageLink[] }) {
  const keep = useSharedParams();
  return (
    <ul>
      {links.map(({ label, href, current }) => (
        <li key={href}>
          <Link href={keep(href)} aria-current={current ? 'page' : undefined}>
            {label}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** Links that look like tabs; each state of a page has its own address. */
export const Tabs = ({ links, label }: { links: readonly PageLink[]; label: string }) => (
  <nav className="tabs" aria-label={label}>
    <Links links={links} />
  </nav>
);
