// The keys of how this machine reaches others, and the proxy that they and the environment name together.
import { z } from 'zod';
import { ParleyError } from '#base/errors.ts';
import type { ProxySettings } from '#base/network/proxy.ts';
import { type Environment, withScheme } from './environment.ts';

export const networkSchema = z.strictObject({
  proxy: z
    .union([
      z.url({
        protocol: /^https?$/,
        error: 'expected the address of a proxy that begins with http:// or https://, or false',
      }),
      z.literal(false),
    ])
    .optional()
    .describe(
      'The forward proxy that every outgoing connection goes through. It goes before HTTPS_PROXY and HTTP_PROXY; false ignores them.',
    ),
  noProxy: z
    .array(
      z.string().regex(/^[^\s,/]+$/, 'expected a host, like "example.com", "10.0.0.7" or "example.com:8443"'),
    )
    .default([])
    .describe(
      'Hosts that are reached directly, next to those of NO_PROXY: a name with all names below it, an address, a host with its port, or `*` for all. This machine always is.',
    ),
  resolveNames: z
    .enum(['here', 'proxy'])
    .default('here')
    .describe(
      'Where a proxy is used, who looks up the names of web pages that models read: Parley, which refuses addresses that are not public, or the proxy, which then has to refuse them.',
    ),
});

/** The proxy of the config, else of the environment; throws `config_invalid` for a variable that names none. */
export function proxyOf(
  { proxy, noProxy, resolveNames }: z.infer<typeof networkSchema>,
  environment: Environment,
): ProxySettings {
  const direct = [...(environment.NO_PROXY?.split(/[\s,]+/) ?? []), ...noProxy].filter((each) => each !== '');
  const rest = { direct, namesBy: resolveNames === 'here' ? ('machine' as const) : ('proxy' as const) };
  if (proxy === false) return rest;
  return {
    ...rest,
    http: proxy ?? named('HTTP_PROXY', environment),
    https: proxy ?? named('HTTPS_PROXY', environment),
  };
}

/** The proxy that a variable names; `host:port` alone is one of http, as for curl. */
function named(name: 'HTTP_PROXY' | 'HTTPS_PROXY', environment: Environment): string | undefined {
  const address = withScheme(environment[name]);
  if (address === undefined) return undefined;
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return address;
  // no value in the words: it may have a password
  throw new ParleyError(
    'config_invalid',
    `${name} expects the address of a proxy that begins with http:// or https://.`,
    {
      hint: 'A SOCKS proxy cannot be used; set an HTTP proxy, or "network": { "proxy": false } to ignore the variable.',
    },
  );
}
