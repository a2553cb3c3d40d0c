// Which network addresses are out in the open: everything that IANA reserves for special purposes is not. Not name resolution.
import { BlockList, isIPv4 } from 'node:net';

/** IANA's special-purpose IPv4 blocks, multicast and the reserved rest. */
const special4: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];

/** The only IPv6 addresses that are routed globally, and what of them leads somewhere else (tunnels, documentation). */
const global6: readonly [string, number][] = [['2000::', 3]];
const special6: readonly [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

/** A check that is true for an address of the public internet; mapped and tunnelled forms of IPv4 are not. */
export function createIsPublic(): (address: string) => boolean {
  const blocked4 = listOf(special4, 'ipv4');
  const blocked6 = listOf(special6, 'ipv6');
  const open6 = listOf(global6, 'ipv6');
  return (address) => {
    if (isIPv4(address)) return !blocked4.check(address, 'ipv4');
    const plain = address.replace(/%.*$/, ''); // without its zone
    return open6.check(plain, 'ipv6') && !blocked6.check(plain, 'ipv6');
  };
}

function listOf(subnets: readonly [string, number][], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const [address, bits] of subnets) list.addSubnet(address, bits, family);
  return list;
}
