// A channel that lets no secret of the configuration out: neither to a chat nor into a status.
import type { MessagePart } from '#adapters/text/part.ts';
import type { Secrets } from '#base/secrets.ts';
import type { Channel } from './terms/channel.ts';

/** The same channel; whatever it renders, shows live or says of itself is masked. */
export function maskChannel(channel: Channel, secrets: Secrets): Channel {
  const { mask } = secrets;
  const { live, withChoices, retitle } = channel;

  /** Markup inside of a secret (`AAE\\_x`) hides it from the mask and shows it to people: then the words go without markup. */
  const safe = (markdown: string): { markdown: string; parts: MessagePart[] } => {
    const masked = mask(markdown);
    const parts = channel.render(masked);
    const words = parts.map(({ text }) => text).join('');
    const sent = JSON.stringify(parts.map(({ body }) => body));
    if (mask(words) === words && mask(sent) === sent) return { markdown: masked, parts };
    const bare = mask(words).replace(/[\\`*_{}[\]()#+.!|<>~&:@=-]/g, '\\$&');
    return { markdown: bare, parts: channel.render(bare) };
  };
  return {
    ...channel,
    render: (markdown) => safe(markdown).parts,
    explain(error) {
      const failure = channel.explain(error);
      return { ...failure, words: mask(failure.words) };
    },
    check: async (standing, rooms) => secrets.maskAll(await channel.check(standing, rooms)),
    ...(withChoices && {
      withChoices: (part, choices) => withChoices(part, secrets.maskAll(choices)),
    }),
    ...(retitle && { retitle: (address, title) => retitle(address, mask(title)) }),
    ...(live && {
      live(options) {
        const opened = live(options);
        if (opened === undefined) return undefined;
        const { finish } = opened;
        return {
          ...opened,
          update: (markdown) => opened.update(safe(markdown).markdown),
          ...(finish && { finish: (markdown) => finish(safe(markdown).markdown) }),
        };
      },
    }),
  };
}
