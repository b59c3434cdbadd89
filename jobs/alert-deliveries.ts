import { deliverWaiting } from '../server/alerts/deliver.ts';
import { job } from './job.ts';

/** Hands over what was put into the queue when a rule fired; every process takes part. */
export const alertDeliveries = job({
  name: 'alert-deliveries',
  title: 'Alert notifications',
  does: 'Sends alert notifications, with up to six attempts over nine hours.',
  schedule: '*/10 * * * * *',
  seconds: 8,
  hardSeconds: 60,
  housekeeping: true,
  needsToken: false,
  everywhere: true,
  async run({ services, mayContinue }) {
    const { store } = services;
    const sent = store ? await deliverWaiting({ ...services, store }, mayContinue) : 0;
    return { partial: false, resumeAt: null, summary: { sent }, report: null };
  },
});
