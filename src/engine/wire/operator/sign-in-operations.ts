// What owners ask of the sign-ins of browsers, each operation declared once.
import { z } from 'zod';
import { noFields, nothing } from '#engine/operations/fields.ts';
import { operation } from '#engine/operations/operation.ts';
import { signIn, signInLink, signInLinkBody } from './sign-in.ts';

/** What owners ask of sign-ins: `client.signIns`. */
export const signInOperations = {
  makeLink: operation({
    effect: 'add',
    method: 'POST',
    path: '/sign-in/link',
    summary: 'Makes a link for one sign-in of a browser, within five minutes',
    about: 'The key, and the page that exchanges it',
    input: signInLinkBody,
    output: signInLink,
    call: 'link',
  }),
  listSignIns: operation({
    effect: 'read',
    method: 'GET',
    path: '/sign-ins',
    summary: 'The browsers that are signed in, the newest first',
    about: 'Sign-ins',
    input: noFields,
    output: z.array(signIn),
    call: 'list',
  }),
  endSignIn: operation({
    effect: 'remove',
    method: 'DELETE',
    path: '/sign-ins/:id',
    summary: 'Ends a sign-in: its browser has to sign in again',
    about: 'It has ended',
    input: z.object({ id: z.string() }),
    output: nothing,
    errors: { sign_in_not_found: 404 },
    call: 'end',
    first: 'id',
  }),
};
