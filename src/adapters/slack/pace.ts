// How fast Slack lets an app write, as data. It sends no headers before a refusal; these are its documented rates.
import type { DocumentedRate } from '#adapters/gateway/terms/channel.ts';

/**
 * chat.postMessage about one a second in a channel with short bursts; chat.update tier 3 (50 a minute), chat.appendStream
 * tier 4 (100 a minute), reactions.add tier 3, each for the whole workspace (docs.slack.dev, rate limits).
 */
export const slackPace: readonly DocumentedRate[] = [
  { acts: ['send'], per: 'chat', calls: 5, perMs: 5_000 },
  { acts: ['edit'], per: 'account', calls: 50, perMs: 60_000 },
  { acts: ['live'], per: 'account', calls: 100, perMs: 60_000 },
  { acts: ['react'], per: 'account', calls: 50, perMs: 60_000 },
  // outside of threads the sign of work is a reaction
  { acts: ['typing'], per: 'account', kinds: ['dm', 'group'], calls: 50, perMs: 60_000 },
];
