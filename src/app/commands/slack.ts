// `parley slack manifest`: the app manifest for Slack, or the link that makes an app of it. Asks nobody.
import { z } from 'zod';
import { manifestLink, slackManifest } from '#adapters/slack/setup/manifest.ts';
import { checkedOptions } from './parts/checked-options.ts';
import type { CommandInput } from './parts/input.ts';

/** Slack's own limit of an app's name. */
const values = z.object({
  name: z.string().trim().min(1).max(35).default('Parley'),
  agent: z.boolean().default(false),
  org: z.boolean().default(false),
  link: z.boolean().default(false),
});

/** Prints the manifest as JSON, or the link, and resolves with 0. Throws `invalid_usage` for values that do not fit. */
export async function slack(input: CommandInput): Promise<number> {
  const { name, agent, org, link } = checkedOptions(values, input.values);
  const manifest = slackManifest({
    name,
    kind: agent ? 'agent' : 'bot',
    reach: org ? 'organisation' : 'workspace',
  });
  if (!link) input.print(JSON.stringify(manifest, null, 2));
  else input.print(input.json ? JSON.stringify({ link: manifestLink(manifest) }) : manifestLink(manifest));
  return 0;
}
