// What platforms call their places, as the gateway tells the engine and the engine tells everyone else. Shapes only.
import { z } from 'zod';

/** The longest name that is stored, in characters. */
export const maxPlaceName = 100;

const name = z.string().min(1).max(maxPlaceName);

/** A chat's names; what the platform does not name, or has not said yet, is missing. Of a direct message there are none. */
export const placeNames = z.object({
  space: name.optional().describe('The Discord server or the Slack workspace'),
  channel: name.optional().describe('The channel or the group, without "#"'),
  thread: name.optional().describe("The thread, the post of a forum or the group's topic"),
});
export type PlaceNames = z.infer<typeof placeNames>;

/** One name: of a space (`platform:account:space`), of a room or of a thread (by canonical address). */
export const namedPlace = z.strictObject({ place: z.string().min(1).max(1_000), name });
export type NamedPlace = z.infer<typeof namedPlace>;

export const placeNameList = z.strictObject({ names: z.array(namedPlace).max(1_000) });

/** A room or a thread with a name. */
export const namedChat = z.object({
  chat: z.string().describe('Canonical address'),
  names: placeNames,
  title: z.string().describe('For people: `#engine-room · Harbour crew · Discord`'),
});
export type NamedChat = z.infer<typeof namedChat>;
