import { withoutAddresses } from '../platform/mail-address.ts';

/** A recipient as the audit log names it: `a•••@example.com`; of a webhook, whose path is a key, its host. */
export function maskedDestination(destination: string): string {
  return URL.canParse(destination) ? `${new URL(destination).origin}/•••` : withoutAddresses(destination);
}
