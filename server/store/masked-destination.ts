import { withoutAddresses } from '../platform/mail-address.ts';

/** A recipient as the audit log names it: `a•••@example.com`; of a webhook, whose path is a key, its host. */
export function maskedDestination(destination: string): string {
  return URL.canParse(destination) ? `${new URL(destination).origin}/•••` : withoutAddresses(destination);
}

/** A text without what a recipient would be known by: addresses of mail, and of webhooks all but the host. */
export const withoutDestinations = (text: string): string =>
  withoutAddresses(text.replace(/https?:\/\/\S+/gi, maskedDestination));
