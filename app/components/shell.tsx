import type { ReactNode } from 'react';

/** The whole body: skip link, rail, content, footer. `navigation` is excluded on pages for visitors. */
export function Shell(props: { navigation?: ReactNode; footer?: ReactNode; children: ReactNode }) {
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
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
