// The operations on all that persons said, or that was written in chats, and on the names of their places. Every caller with the token may name any person.
import { z } from 'zod';
import { integerParam, nothing } from '#engine/operations/fields.ts';
import { operation, type ServiceOf } from '#engine/operations/operation.ts';
import { namedChat, placeNameList } from '#engine/wire/channels/place-names.ts';
import { contentExport, contentForgotten, forgetContent } from './content.ts';

/** What clients ask of content: `client.content`. */
export const contentOperations = {
  /**
   * With all that was made of it; and in conversations, with answers, events, files of runs, artifacts, summaries and what other runs had
   * recalled. Ids and times stay, so that nothing is answered twice.
   */
  forgetContent: operation({
    effect: 'remove',
    method: 'POST',
    path: '/content/forget',
    summary:
      'Counts all that persons said, or that was written in chats or sessions, in memory and in conversations; with `apply` forgets it permanently',
    about: 'How much it is, and what of it was still found',
    input: forgetContent,
    output: contentForgotten,
    call: 'forget',
    takesLong: true,
  }),
  exportContent: operation({
    effect: 'read',
    method: 'POST',
    path: '/content/export',
    summary: 'Everything that these persons said and were answered, from memory and from conversations',
    about: 'All of it',
    input: z.strictObject({ persons: z.array(z.string().min(1).max(1_000)).min(1).max(1_000) }),
    output: contentExport,
    call: 'export',
    takesLong: true,
  }),
};

/** What clients ask of places: `client.places`. */
export const placeOperations = {
  namedChats: operation({
    effect: 'read',
    method: 'GET',
    path: '/place',
    summary:
      'Rooms and threads that have a name on their platform, by title; first those that begin with `text`',
    about: 'Rooms and threads',
    input: z.object({
      text: z.string().min(1).max(200).optional().describe('Part of the name'),
      limit: integerParam(1, 5_000).default(1_000),
    }),
    output: z.array(namedChat),
    call: 'named',
    unaudited: 'shows no words',
  }),
  /** Commits before it resolves. */
  setPlaceNames: operation({
    effect: 'change',
    method: 'PUT',
    path: '/place',
    summary: 'Says what platforms call their spaces, rooms and threads now',
    about: 'They are stored',
    input: placeNameList,
    output: nothing,
    call: 'set',
  }),
};

export type ContentService = ServiceOf<typeof contentOperations>;
export type PlaceService = ServiceOf<typeof placeOperations>;
