import { defineEntity, p } from '@mikro-orm/core';
import { instant } from './types.ts';

/** Which process may do a job at present. */
export const JobLease = defineEntity({
  name: 'JobLease',
  tableName: 'job_leases',
  properties: {
    job: p.text().primary(),
    holder: p.text(),
    acquiredAt: instant(),
    expiresAt: instant(),
  },
});
