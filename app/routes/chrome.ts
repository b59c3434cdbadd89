import { useRouteLoaderData } from 'react-router';
import type { Chrome } from '../../server/http/chrome.ts';

/** What the root loader read for every page. */
export function useChrome(): Chrome {
  const chrome = useRouteLoaderData<Chrome>('root');
  if (!chrome) throw new Error('a page is drawn inside the root');
  return chrome;
}
