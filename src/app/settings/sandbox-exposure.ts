// Where the sandbox may listen: only on this machine, unless the config says otherwise.
import { BlockList, isIP } from 'node:net';
import type { Config } from '#app/config/schema.ts';
import { ParleyError } from '#base/errors.ts';

/** Throws a ParleyError `sandbox_exposed` for an address that other machines could reach, unless `exposeSandbox` is set. */
export function refuseExposed({ host, exposeSandbox }: Config['engine']): void {
  if (exposeSandbox || isLoopback(host)) return;
  throw new ParleyError(
    'sandbox_exposed',
    `No platform token is set, so this is the sandbox; it does not listen on ${host} (engine.host), where other machines reach it: everyone who has its link speaks as the owner.`,
    {
      hint: 'Set a token of a platform, let engine.host be 127.0.0.1, or set engine.exposeSandbox to true.',
    },
  );
}

function isLoopback(host: string): boolean {
  if (host.toLowerCase() === 'localhost') return true;
  const own = new BlockList();
  own.addSubnet('127.0.0.0', 8, 'ipv4');
  own.addAddress('::1', 'ipv6');
  const family = isIP(host);
  return family !== 0 && own.check(host, family === 4 ? 'ipv4' : 'ipv6');
}
