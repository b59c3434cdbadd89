import { expect, test } from 'vitest';
import { clientAddress } from '../../server/platform/address.ts';

test.each([
  // trusted proxies, the peer, what was forwarded, whom that makes the client
  [0, '9.9.9.9', null, '9.9.9.9'],
  [0, '9.9.9.9', '1.1.1.1', '9.9.9.9'],
  [1, '10.0.0.1', '1.1.1.1', '1.1.1.1'],
  [1, '10.0.0.1', 'forged, 1.1.1.1', '1.1.1.1'],
  [1, '10.0.0.1', 'forged,forged , 1.1.1.1 ', '1.1.1.1'],
  [1, '10.0.0.1', null, '10.0.0.1'],
  [1, '10.0.0.1', '', '10.0.0.1'],
  [1, '10.0.0.1', ' , ', '10.0.0.1'],
  [2, '10.0.0.1', 'forged, 1.1.1.1, 10.0.0.2', '1.1.1.1'],
  [2, '10.0.0.1', '2001:db8::1, 10.0.0.2', '2001:db8::1'],
  [2, '10.0.0.1', '1.1.1.1', '1.1.1.1'],
  [5, '10.0.0.1', null, '10.0.0.1'],
] as const)('%d trusted proxies, peer %s, forwarded %j: %s', (hops, peer, forwarded, client) => {
  expect(clientAddress(peer, forwarded, hops)).toBe(client);
});
