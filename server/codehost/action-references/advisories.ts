import type { Transport } from '../client/transport.ts';

export interface AdvisoryReads {
  /** A published advisory by its GHSA or CVE id, as the platform gives it; null where it has none. Throws `Problem`. */
  advisory(id: string): Promise<unknown>;
}

/** Reads advisories that the platform published. */
export const createAdvisories = (transport: Transport): AdvisoryReads => ({
  async advisory(id) {
    const key = id.startsWith('CVE') ? 'cve_id' : 'ghsa_id';
    const { fresh } = await transport.rest<unknown[]>({
      operation: 'advisory',
      route: 'GET /advisories',
      params: { [key]: id, per_page: 1 },
      read: (data) => (Array.isArray(data) ? data : []),
    });
    return fresh?.value[0] ?? null;
  },
});
