// All the links of the program: to its other half, to the platforms and their sockets, and to the model.
import type { SandboxFaults } from '#app/compose/sandbox.ts';
import { type Link, startLink } from './link.ts';

export const linkNames = [
  'engine',
  'model',
  'discord',
  'telegram',
  'slack',
  'discordSocket',
  'slackSocket',
] as const;
export type LinkName = (typeof linkNames)[number];

export interface Links {
  of: Readonly<Record<LinkName, Link>>;
  /** What makes the sandbox name the links for its sockets. */
  faults: SandboxFaults;
  /** Lets the link lead to where the URL leads; returns the URL through the link. */
  to(name: LinkName, url: string): string;
  close(): Promise<void>;
}

/** A socket that is half-open is found out by missed heartbeats: more often than Discord's 41 s, or a run would take long. */
const heartbeatIntervalMs = 8_000;

/** Opens all of them on free ports. Each has to be led somewhere before it is used. */
export async function openLinks(): Promise<Links> {
  const targets = new Map<LinkName, number>();
  const open = async (name: LinkName) => [name, await startLink(() => targets.get(name) ?? 0)] as const;
  const of = Object.fromEntries(await Promise.all(linkNames.map(open))) as Record<LinkName, Link>; // one of each name
  const hostOf = (name: LinkName) => (): string => `127.0.0.1:${of[name].port}`;
  return {
    of,
    faults: {
      discord: { socketHost: hostOf('discordSocket'), heartbeatIntervalMs },
      slack: { socketHost: hostOf('slackSocket') },
    },
    to(name, url) {
      const through = new URL(url);
      targets.set(name, Number(through.port));
      through.port = String(of[name].port);
      return through.href.replace(/\/$/, url.endsWith('/') ? '/' : '');
    },
    async close() {
      await Promise.all(linkNames.map((name) => of[name].close()));
    },
  };
}
