import type { AlertSource } from '../../metrics/security/security-alerts.ts';
import type { PlainError } from '../client/failures.ts';
import type { SourceStatus } from './client.ts';

/** Why a source of alerts gave none. */
export interface SourceError {
  status: Exclude<SourceStatus, 'ok'>;
  message: string;
}

/**
 * What an error means for a source, by the platform's own sentence. A feature that is off is rejected with 403 by
 * two sources and with 404 by the third; where the sentence leaves a doubt, the token may not read it.
 */
export function sourceError(source: AlertSource, { status, message }: PlainError): SourceError {
  const name = sourceNames[source];
  if (/\barchived\b/i.test(message)) {
    return { status: 'error', message: `No ${name} alerts for archived repositories.` };
  }
  if (/\bno analysis found\b/i.test(message)) {
    return { status: 'not_enabled', message: `${capital(name)} has never analysed this repository.` };
  }
  if (namesFeature.test(message) && statesDisabled.test(message)) {
    return { status: 'not_enabled', message: `${capital(name)} is switched off for this repository.` };
  }
  if (status === 404) {
    return { status: 'not_enabled', message: `No ${name} here, or not visible to this token.` };
  }
  return { status: 'forbidden', message: `The token cannot read ${name} alerts of this repository.` };
}

/** The platform did not answer, or not usefully. */
export const unreadableSource = (source: AlertSource): SourceError => ({
  status: 'error',
  message: `No response for ${sourceNames[source]}.`,
});

const sourceNames: Record<AlertSource, string> = {
  dependabot: 'Dependabot',
  code_scanning: 'code scanning',
  secret_scanning: 'secret scanning',
};

const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Both are needed: an allow list of addresses is "enabled" too, and access can be "disabled". */
const namesFeature =
  /\b(dependabot|vulnerability alerts|code scanning|secret scanning|(code|advanced) security|secret protection|this feature)\b/i;
const statesDisabled = /\b(disabled|not enabled|must be enabled|to enable|not available)\b/i;
