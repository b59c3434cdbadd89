import { expect, test } from 'vitest';
import { grossAmount, type UsageItem } from '../../../server/metrics/cost/billing.ts';

const item = (amount: number): UsageItem => ({
  product: 'Actions',
  sku: 'actions_linux',
  unitType: 'Minutes',
  pricePerUnit: 0.0005,
  quantity: amount / 0.0005,
  netQuantity: null,
  grossAmount: amount,
  discountAmount: 0,
  netAmount: amount,
  day: null,
  repository: null,
});

test('a sum of amounts that ends in half a cent is rounded up, in any order of the lines', () => {
  const amounts = [1.523, 1.947, 1.6195, 1.1955];
  const inFloatingPoint = amounts.reduce((sum, amount) => sum + amount, 0);
  expect(inFloatingPoint).toBeLessThan(6.285);
  expect(grossAmount(amounts.map(item)).value).toBe(6.29);
  expect(grossAmount(amounts.toReversed().map(item)).value).toBe(6.29);
});
