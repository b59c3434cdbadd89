import type { Instant } from '../../server/metrics/kernel/facts.ts';
import type { BilledUse, DoubleBill } from './billing.ts';

const linux = { product: 'Actions', sku: 'actions_linux', unitType: 'Minutes', pricePerUnit: 0.006 };
const macos = { product: 'Actions', sku: 'actions_macos', unitType: 'minutes', pricePerUnit: 0.062 };
const larger = { product: 'Actions', sku: 'actions_linux_4_core', unitType: 'Minute', pricePerUnit: 0.012 };
const unknown = { product: 'actions', sku: 'actions_linux_3_core_quantum', unitType: 'Minutes', pricePerUnit: 1.5 };
const storage = { product: 'Actions', sku: 'actions_storage', unitType: 'GigabyteHours', pricePerUnit: 0.0005 };
const seats = { product: 'Copilot', sku: 'copilot_for_business', unitType: 'UserMonths', pricePerUnit: 19 };

/**
 * Bills of octo and of ann. octo in the running month, which is the 16th of November: 2,400 Linux minutes (1,800 of
 * them included), 20 of macOS, 100 of a larger runner, 2 of one nobody knows, 500.5 gigabyte-hours of storage, and one
 * seat. The month before: 700 Linux minutes, all included. Every other month is empty. On an earlier day of a month
 * what was used later is on that day.
 */
export function namedBills(now: Instant): DoubleBill[] {
  const today = new Date(now);
  const dated = (monthsAgo: number, day: number) =>
    new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - monthsAgo, day)).toISOString().slice(0, 10);
  const on = (
    day: number,
    of: Omit<BilledUse, 'date' | 'quantity'>,
    quantity: number,
    rest: Partial<BilledUse> = {},
  ) => ({
    date: dated(0, Math.min(day, today.getUTCDate())),
    ...of,
    quantity,
    ...rest,
  });
  return [
    {
      login: 'octo',
      plan: 'team',
      tokens: ['token-ann'],
      uses: [
        on(2, linux, 1000, { net: 0, repositoryName: 'web' }),
        on(3, linux, 800, { net: 0, repositoryName: 'web' }),
        on(10, linux, 600, { repositoryName: 'api' }),
        on(10, macos, 20, { repositoryName: 'api' }),
        on(11, larger, 100, { repositoryName: 'web' }),
        on(12, unknown, 2, { repositoryName: 'web' }),
        on(12, storage, 500.5, { repositoryName: 'web' }),
        on(1, seats, 1),
        { ...on(1, linux, 700, { net: 0, repositoryName: 'web' }), date: dated(1, 28) },
      ],
    },
    {
      login: 'ann',
      plan: 'pro',
      tokens: ['token-ann'],
      uses: [on(5, linux, 61, { net: 0, repositoryName: 'ann/dotfiles' })],
    },
  ];
}
