import { type ComponentProps, createContext, useContext } from 'react';

const IsShared = createContext(false);

/** Around a page behind a share link, which leads nowhere and takes no choices. */
export const SharedView = ({ children }: { children: ComponentProps<'a'>['children'] }) => (
  <IsShared value={true}>{children}</IsShared>
);

/** Whether this is drawn behind a share link. */
export const useIsShared = (): boolean => useContext(IsShared);

/** A link; behind a share link only its words. */
export function Link(props: ComponentProps<'a'>) {
  return useIsShared() ? <span className={props.className}>{props.children}</span> : <a {...props} />;
}

/** A link that is there to lead somewhere alone; nothing behind a share link. */
export function ActionLink(props: ComponentProps<'a'>) {
  return useIsShared() ? null : <a {...props} />;
}

/** The same at the end of a line, set apart from what stands before. */
export function NextAction(props: ComponentProps<'a'>) {
  return useIsShared() ? null : (
    <>
      {' · '}
      <a {...props} />
    </>
  );
}
