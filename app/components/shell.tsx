import type { ReactNode } from 'react';
import { ActionLink } from '../charts/link.tsx';

/** The whole body: skip link, rail, content, footer. `navigation` is excluded on pages for visitors. */
export function Shell(props: { navigation?: ReactNode; footer?: ReactNode; children: ReactNode }) {
  return (
    <>
      <ActionLink className="skip" href="#main">
        Skip to content
      </ActionLink>
      <div className={props.navigation ? 'shell' : 'shell alone'}>
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
