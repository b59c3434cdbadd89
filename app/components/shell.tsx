import type { ReactNode } from 'react';
import { ActionLink } from '../charts/link.tsx';

interface ShellProps {
  /** Excluded on pages for visitors. */
  navigation?: ReactNode;
  footer?: ReactNode;
  /** Without navigation: tables and charts need more room than text. */
  isWide?: boolean;
  children: ReactNode;
}

/** The whole body: skip link, rail, content, footer. */
export function Shell({ isWide = false, ...props }: ShellProps) {
  const alone = isWide ? 'shell alone wide' : 'shell alone';
  return (
    <>
      <ActionLink className="skip" href="#main">
        Skip to content
      </ActionLink>
      <div className={props.navigation ? 'shell' : alone}>
        {props.navigation}
        <div className="content">
          <main id="main" tabIndex={-1}>
            {props.children}
          </main>
          {props.footer ? <footer className="muted">{props.footer}</footer> : null}
        </div>
      </div>
    </>
  );
}
