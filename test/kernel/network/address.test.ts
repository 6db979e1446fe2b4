// Addresses that a listed name may turn out to have. The platform's own parser is the second opinion on every spelling.
import { BlockList, isIP } from 'node:net';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readAddress } from '../../../src/kernel/network/address.ts';
import { addressRefusal } from '../../../src/kernel/network/decide.ts';

const ALL = { 4: '0.0.0.0/0', 6: '::/0' } as const;

describe('addresses that nothing opens', () => {
  test.each([
    ['the metadata of most clouds', '169.254.169.254'],
    ['the same, mapped into version 6', '::ffff:169.254.169.254'],
    ['the same, mapped and written in hexadecimal', '::ffff:a9fe:a9fe'],
    ['the same, translated', '64:ff9b::a9fe:a9fe'],
    ['containers’ credentials', '169.254.170.2'],
    ['Alibaba’s metadata', '100.100.100.200'],
    ['Oracle’s metadata', '192.0.0.192'],
    ['Azure’s host', '168.63.129.16'],
    ['Amazon’s metadata in version 6', 'fd00:ec2::254'],
    ['Google’s metadata in version 6', 'fd20:ce::254'],
    ['this link', 'fe80::1'],
    ['this link, with its zone', 'fe80::1%eth0'],
    ['whatever this machine is', '0.0.0.0'],
    ['the same in version 6', '::'],
    ['everybody', '255.255.255.255'],
    ['a group', '224.0.0.1'],
    ['a group in version 6', 'ff02::1'],
  ])('%s, though policy names every address as its range', (_, address) => {
    // A check that asks the range alone would dial.
    const named = new BlockList();
    named.addSubnet('0.0.0.0', 0, 'ipv4');
    named.addSubnet('::', 0, 'ipv6');
    if (!address.includes('%')) expect(named.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')).toBe(true);
    expect([addressRefusal(address, ALL[4]), addressRefusal(address, ALL[6])]).toEqual([
      'address_never',
      'address_never',
    ]);
  });
});

describe('addresses that only a range opens', () => {
  test.each([
    ['127.0.0.1', '127.0.0.0/8'],
    ['10.1.2.3', '10.1.0.0/16'],
    ['172.31.255.255', '172.16.0.0/12'],
    ['192.168.1.1', '192.168.1.1/32'],
    ['100.64.0.1', '100.64.0.0/10'],
    ['198.18.0.1', '198.18.0.0/15'],
    ['::1', '::1/128'],
    ['fd12:3456::1', 'fd12::/16'],
    ['fec0::1', 'fec0::/10'],
    ['2002:a00:1::', '2002::/16'],
    ['2001:0:a00:1::', '2001::/32'],
    ['64:ff9b:1::1', '64:ff9b:1::/48'],
    ['::ffff:10.1.2.3', '10.1.0.0/16'],
    ['::10.1.2.3', '::/96'],
  ])('%s', (address, range) => {
    expect(addressRefusal(address, null)).toBe('address_not_public');
    expect(addressRefusal(address, range)).toBeUndefined();
    expect(addressRefusal(address, '10.9.0.0/16')).toBe('address_outside_range');
  });

  test('a range narrows what is public as well', () => {
    expect(addressRefusal('140.82.112.3', null)).toBeUndefined();
    expect(addressRefusal('140.82.112.3', '10.0.0.0/8')).toBe('address_outside_range');
  });

  test('public addresses of both versions need none', () => {
    for (const address of ['1.1.1.1', '2606:4700::1111', '::ffff:1.1.1.1', '64:ff9b::101:101', '11.0.0.1'])
      expect(addressRefusal(address, null), address).toBeUndefined();
  });
});

test('the edges of a range are where the platform has them', () => {
  fc.assert(
    fc.property(fc.ipV4(), fc.ipV4(), fc.integer({ min: 0, max: 32 }), (address, base, bits) => {
      const list = new BlockList();
      list.addSubnet(base, bits, 'ipv4');
      const refused = addressRefusal(address, `${base}/${bits}`);
      if (refused !== 'address_never') expect(refused === undefined).toBe(list.check(address));
    }),
  );
  fc.assert(
    fc.property(fc.ipV6(), fc.ipV6(), fc.integer({ min: 0, max: 128 }), (address, base, bits) => {
      const list = new BlockList();
      list.addSubnet(base, bits, 'ipv6');
      const refused = addressRefusal(address, `${base}/${bits}`);
      if (refused !== 'address_never') expect(refused === undefined).toBe(list.check(address, 'ipv6'));
    }),
  );
});

test('an address is read exactly where the platform reads one, in its plain spelling', () => {
  const alike = fc.stringMatching(/^[0-9a-f:.]{2,24}$/);
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), alike), (text) => {
      expect(readAddress(text)?.version ?? 0).toBe(isIP(text));
    }),
    { numRuns: 2000 },
  );
  for (const odd of [
    '010.0.0.1',
    '1.2.3',
    '1.2.3.4.5',
    '256.1.1.1',
    '1::2::3',
    '::1.2.3',
    '1:2:3:4:5:6:7',
    ':1',
    '1:2:3:4:5:6:7:8:9',
    '',
    ':',
    ':::',
  ])
    expect(readAddress(odd), odd).toBeUndefined();
});
