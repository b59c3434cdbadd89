import type { LookupAddress } from 'node:dns';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPublic, publicLookup, UnsafeAddress, whyUnsafe } from '../../server/platform/safe-address.ts';

/** By hand from RFC 6890, 4193, 4291, 6052, 3056, 4380 and 6598. */
const elsewhere = [
  '127.0.0.1',
  '127.255.255.254',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '100.127.255.255',
  '0.0.0.0',
  '0.1.2.3',
  '192.0.0.8',
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:a9fe:a9fe',
  '::7f00:1',
  '64:ff9b::a00:1',
  '2002:a00:1::',
  '64:ff9b:1::1',
  '2001::1',
  '2001:db8::1',
  '100::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  // The virtual address of Azure's platform: plain, mapped, translated, compatible and by 6to4.
  '168.63.129.16',
  '::ffff:168.63.129.16',
  '::ffff:a83f:8110',
  '64:ff9b::a83f:8110',
  '::a83f:8110',
  '2002:a83f:8110::1',
  '64:ff9b:1::a83f:8110',
  '0:0:0:0:0:ffff:a83f:8110',
  'ff02::1',
  '',
  'localhost',
  '127.1',
  '0x7f000001',
  '2130706433',
  '8.8.8.8.8',
  '[::1]',
];

test('only addresses of the public internet are public', () => {
  expect(elsewhere.filter(isPublic)).toEqual([]);
  const open = [
    '168.63.129.15',
    '168.63.129.17',
    '8.8.8.8',
    '1.1.1.1',
    '172.15.0.1',
    '172.32.0.1',
    '100.63.0.1',
    '2606:4700:4700::1111',
    '2a00:1450::1',
  ];
  expect(open.filter((address) => !isPublic(address))).toEqual([]);
});

test('an address of IPv4 stays what it is in the clothes of IPv6', () => {
  const byte = fc.integer({ min: 0, max: 255 });
  fc.assert(
    fc.property(fc.tuple(byte, byte, byte, byte), (bytes) => {
      const address = bytes.join('.');
      return isPublic(`::ffff:${address}`) === isPublic(address);
    }),
    { numRuns: 300 },
  );
});

/** A name service that answers with one list after the other. */
const naming = (...answers: string[][]) => {
  const requests: string[] = [];
  const lookup = (host: string, _options: object, done: (error: Error | null, found: LookupAddress[]) => void) => {
    requests.push(host);
    const found = answers.shift() ?? [];
    done(
      null,
      found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  return { asked: requests, guard: { allowedHosts: ['gateway.internal', '10.1.2.3', '::1'], lookup } };
};

const connecting = ({ guard }: ReturnType<typeof naming>, options: { all?: boolean } = { all: true }) =>
  new Promise<unknown[]>((found) => publicLookup(guard)('api.example', options, (...reported) => found(reported)));

test('a name connects to addresses that were checked, and to nothing else', async () => {
  expect(await connecting(naming(['8.8.8.8', '2606:4700::1']))).toEqual([
    null,
    [
      { address: '8.8.8.8', family: 4 },
      { address: '2606:4700::1', family: 6 },
    ],
  ]);
  expect(await connecting(naming(['8.8.8.8']), {})).toEqual([null, '8.8.8.8', 4]);
  for (const answer of [['127.0.0.1'], ['8.8.8.8', '10.0.0.1'], ['::1', '8.8.8.8'], []])
    expect((await connecting(naming(answer)))[0]).toBeInstanceOf(UnsafeAddress);
});

test('a name that changes its mind after it was saved is rejected at the connection', async () => {
  const changing = naming(['8.8.8.8'], ['169.254.169.254']);
  expect(await whyUnsafe('https://api.example/v1', changing.guard)).toBeNull();
  expect((await connecting(changing))[0]).toBeInstanceOf(UnsafeAddress);
  expect(changing.asked).toEqual(['api.example', 'api.example']);
});

test('a host that the operator allows is not looked up', async () => {
  const { asked, guard } = naming();
  for (const host of ['gateway.internal', 'GATEWAY.Internal:8443', 'gateway.internal.', '10.1.2.3', '[::1]:99'])
    expect(await whyUnsafe(`https://${host}/v1`, guard)).toBeNull();
  expect(asked).toEqual([]);
});

test.each([
  ['https://127.0.0.1/v1', 'leads to an address that is not public'],
  ['https://127.1/v1', 'leads to an address that is not public'],
  ['https://0x7f000001/v1', 'leads to an address that is not public'],
  ['https://2130706433/v1', 'leads to an address that is not public'],
  ['https://[::ffff:10.0.0.1]/v1', 'leads to an address that is not public'],
  ['https://localhost/v1', 'leads to an address that is not public'],
  ['https://nobody.invalid/v1', 'names a host that cannot be found'],
  ['https://8.8.8.8/v1', null],
])('%s: %s', async (address, why) => {
  expect(await whyUnsafe(address, { allowedHosts: ['gateway.internal'] })).toBe(why);
});
