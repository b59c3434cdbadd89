import { z } from 'zod';

export const viewName = z
  .string()
  .trim()
  .regex(/^\P{Cc}{1,60}$/u, 'is not 1 to 60 visible characters')
  .meta({ description: 'Unique among your views.' });

/** Visible characters alone: browsers leave out tabs and line ends, so that others could begin a foreign address. */
const ownPath = /^\/(?![/\\])[\x21-\x7e]{0,1000}$/;
/** What is no page to come back to. */
const noPage = /^\/+(api|assets|theme|sign-out|login|setup|no-access|views)([/?#.]|$)/i;

/** Whether an address is that of a page of this service: a path with its query, without a host. */
export function isViewAddress(address: string): boolean {
  if (!ownPath.test(address)) return false;
  const url = new URL(address, 'http://localhost');
  return url.host === 'localhost' && `${url.pathname}${url.search}${url.hash}` === address && !noPage.test(address);
}

export const viewAddress = z
  .string()
  .refine(isViewAddress, 'is not the address of a page of this service')
  .meta({ description: 'Path and query of a page of this service, such as `/ci?range=7`.' });
