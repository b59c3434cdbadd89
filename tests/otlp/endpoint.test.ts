import { lookup } from 'node:dns';
import { expect, test } from 'vitest';
import { openSender, tracesUrl } from '../../server/otlp/send.ts';
import { lookupFor, whyUnusable } from '../../server/platform/receiver-address.ts';
import { privateLookup, UnsafeAddress } from '../../server/platform/safe-address.ts';
import { openReceiver } from '../support/otlp-receiver.ts';

/** IPv4 in every spelling that leads into a network where nobody invited the service, IPv6, and both in each other. */
const elsewhere = [
  '127.0.0.1',
  '127.1',
  '127.255.255.254',
  '0177.0.0.1',
  '0x7f.0.0.1',
  '2130706433',
  '0x7f000001',
  '017700000001',
  '10.0.0.1',
  '10.255.255.255',
  '10.1',
  '0x0a.0.0.1',
  '012.0.0.1',
  '167772161',
  '172.16.0.1',
  '172.31.255.254',
  '192.168.0.1',
  '192.168.1',
  '3232235521',
  '0xc0a80001',
  '0300.0250.0.1',
  '169.254.169.254',
  '169.254.0.1',
  '2852039166',
  '0xa9fea9fe',
  '0251.0376.0251.0376',
  '100.64.0.1',
  '100.100.100.200',
  '0.0.0.0',
  '0',
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
  '168.63.129.16',
  '[::]',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:169.254.169.254]',
  '[::ffff:10.0.0.1]',
  '[::ffff:172.16.0.1]',
  '[::ffff:192.168.0.1]',
  '[::7f00:1]',
  '[64:ff9b::a00:1]',
  '[2002:a00:1::]',
  '[2001:db8::1]',
  '[100::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
  'localhost',
  'LOCALHOST',
];

test.each(elsewhere)('%s may not be saved, nor connected to', async (host) => {
  expect(await whyUnusable(`https://${host}/otlp`, [])).toMatch(/not public|cannot be found/);
  // As if the name had led elsewhere when it was saved.
  const sender = openSender({ ...receiver, endpoint: `https://${host}:1/otlp`, allowedHosts: [] });
  expect((await sender.send(new Uint8Array())).kind).toBe('refused');
  await sender.close();
});

const receiver = { headers: {}, protocol: 'http/protobuf', compression: 'none' } as const;

test.each([
  ['http://8.8.8.8', 'must begin with https://'],
  ['ftp://8.8.8.8', 'is no https address'],
  ['file:///etc/passwd', 'is no https address'],
  ['not an address', 'is no https address'],
  ['https://user@8.8.8.8', 'has a user name or a password'],
  ['https://user:key@8.8.8.8', 'has a user name or a password'],
  ['https://8.8.8.8/?key=1', 'has a query or a fragment'],
  ['https://8.8.8.8/?', 'has a query or a fragment'],
  ['https://8.8.8.8/#x', 'has a query or a fragment'],
])('%s %s', async (endpoint, reason) => {
  expect(await whyUnusable(endpoint, [])).toBe(reason);
});

test('a public address may be saved, and a host that the operator allows over http too', async () => {
  expect(await whyUnusable('https://8.8.8.8/otlp', [])).toBeNull();
  expect(await whyUnusable('http://collector.internal:4318', ['collector.internal'])).toBeNull();
  expect(await whyUnusable('http://127.0.0.1:4318', ['127.0.0.1'])).toBeNull();
});

test('a name of which the addresses have changed is not connected to', async () => {
  const found = (name: string, allowedHosts: string[]) =>
    new Promise<unknown>((done) =>
      privateLookup({
        allowedHosts,
        lookup: (_host, _options, answer) => answer(null, [{ address: name, family: name.includes(':') ? 6 : 4 }]),
      })('collector.internal', { all: true }, (error, addresses) => done(error ?? addresses)),
    );
  for (const address of [
    '169.254.169.254',
    'fe80::1',
    '::ffff:169.254.169.254',
    'fd00:ec2::254',
    '168.63.129.16',
    '100.100.100.200',
  ])
    expect(await found(address, ['collector.internal'])).toBeInstanceOf(UnsafeAddress);
  expect(await found('10.0.0.7', ['collector.internal'])).toEqual([{ address: '10.0.0.7', family: 4 }]);
});

test('literal addresses are checked where names are, and only allowed ones pass', () => {
  expect(() => lookupFor(new URL('https://169.254.169.254'), [])).toThrow(UnsafeAddress);
  expect(lookupFor(new URL('http://169.254.169.254'), ['169.254.169.254'])).not.toBe(lookup);
});

test('an allowed host is reached, by its literal address and by its name', async () => {
  const { url, requests } = await openReceiver();
  for (const [endpoint, allowed] of [
    [url, '127.0.0.1'],
    [url.replace('127.0.0.1', 'localhost'), 'localhost'],
  ] as const) {
    const sender = openSender({ ...receiver, endpoint, allowedHosts: [allowed] });
    expect(await sender.send(new Uint8Array())).toMatchObject({ kind: 'accepted' });
    await sender.close();
  }
  expect(requests).toHaveLength(2);
});

test('traces are posted to the path of the protocol, or to the full address', () => {
  expect(tracesUrl('https://a.example').href).toBe('https://a.example/v1/traces');
  expect(tracesUrl('https://a.example/otlp/').href).toBe('https://a.example/otlp/v1/traces');
  expect(tracesUrl('https://a.example/otlp/v1/traces').href).toBe('https://a.example/otlp/v1/traces');
});
