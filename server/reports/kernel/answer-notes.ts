/** What a panel's answer reports about itself. */
export interface PanelNotes {
  partial: boolean;
  /** Which items of the platform could not be read; null when that is not why it is partial. */
  partialReason: string | null;
  stale: boolean;
  /** When the data was read, as an instant in text; null when it is live. */
  asOf: string | null;
  source: string | null;
  canonicalRepo: string | null;
  /** Whether the token may lack the scope to list organizations, so that some may be missing. */
  mayLackOrganizations: boolean;
}

/** What an answer says of itself in its headers. */
export function readNotes(headers: Headers): PanelNotes {
  return {
    partial: headers.get('X-Partial') === 'true',
    partialReason: headers.get('X-Partial-Reason'),
    stale: headers.get('X-Stale') === 'true',
    asOf: headers.get('X-Data-As-Of'),
    source: headers.get('X-Data-Source'),
    canonicalRepo: headers.get('X-Canonical-Repo'),
    mayLackOrganizations: headers.has('X-Orgs-Hint'),
  };
}
