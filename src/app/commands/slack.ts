// `parley slack manifest`: the app manifest for Slack, or the link that makes an app of it. Asks nobody.
import { z } from 'zod';
import { manifestLink, slackManifest } from '#adapters/slack/manifest.ts';
import { ParleyError } from '#base/errors.ts';
import { checkedOptions } from './parts/checked-options.ts';
import type { CommandInput } from './parts/input.ts';
import { refuseExtra } from './parts/takes.ts';

const help = `Usage: parley slack manifest [--name NAME] [--agent] [--org] [--link]

  manifest  the app manifest for api.slack.com/apps, "Create New App", "From a
            manifest": every scope and event that is made use of
            [--name NAME]  what the app is called (default: Parley)
            [--agent]      direct messages are chats, each with a session of its
                           own; Slack does not take that back from an app
            [--org]        can be installed for a whole organisation (Enterprise
                           Grid); Slack does not take that back either
            [--link]       the link that makes an app of it instead`;

/** Slack's own limit of an app's name. */
const values = z.object({
  name: z.string().trim().min(1).max(35).default('Parley'),
  agent: z.boolean().default(false),
  org: z.boolean().default(false),
  link: z.boolean().default(false),
});

/** Prints the manifest as JSON and resolves with 0. Throws `invalid_usage` for anything else. */
export async function slack(input: CommandInput): Promise<number> {
  const [action = 'help'] = input.rest;
  if (action === 'help') {
    input.print(help);
    return 0;
  }
  if (action !== 'manifest')
    throw new ParleyError('invalid_usage', `"parley slack ${action}" does not exist; there is "manifest".`, {
      hint: 'See "parley slack help".',
    });
  const takes = { words: 'none' as const, options: ['name', 'agent', 'org', 'link'] };
  refuseExtra({ command: 'slack', action, takes }, input);
  const hint = 'See "parley slack help".';
  const { name, agent, org, link } = checkedOptions(values, input.values, { hint });
  const manifest = slackManifest({
    name,
    kind: agent ? 'agent' : 'bot',
    reach: org ? 'organisation' : 'workspace',
  });
  input.print(link ? manifestLink(manifest) : JSON.stringify(manifest, null, 2));
  return 0;
}
