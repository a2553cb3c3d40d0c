// Sign-ins of browsers: who may use the HTTP API without its token, and as what. Shapes and the promises of their store.
import { z } from 'zod';

const signInRoles = ['owner', 'viewer'] as const;

/** One browser that is signed in, or the token itself. */
export const signIn = z.object({
  id: z.string(),
  role: z.enum(signInRoles).describe('An owner may do everything; a viewer reads what open rooms hold'),
  name: z.string().describe('As the person who made the link named it'),
  agent: z.string().describe('The browser, as it names itself'),
  createdAtMs: z.number(),
  lastSeenAtMs: z.number(),
  expiresAtMs: z.number(),
});
export type SignIn = z.infer<typeof signIn>;

export const signInLinkBody = z.strictObject({
  role: z.enum(signInRoles).default('owner'),
  name: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .regex(/^\P{Cc}*$/u, 'must not contain control characters')
    .optional()
    .describe('Who will use it; "console" when absent'),
});

export const signInLink = z.object({
  key: z.string().describe('Exchanged once, by `POST /sign-in`'),
  path: z.string().describe('The page that exchanges it; the key is in the fragment, which no server gets'),
  role: z.enum(signInRoles),
  expiresAtMs: z.number(),
});
export type SignInLink = z.infer<typeof signInLink>;

export const currentSignIn = z.object({
  by: z.enum(['token', 'sign-in']),
  role: z.enum(signInRoles),
  name: z.string(),
  id: z.string().nullable(),
  expiresAtMs: z.number().nullable(),
  version: z.string(),
  sandbox: z.boolean().describe('Whether the platforms are simulated here, with their page at `/`'),
});
export type CurrentSignIn = z.infer<typeof currentSignIn>;

/** Where sign-ins are stored. Secrets come in and go out; what is stored are their hashes. */
export interface SignIns {
  /** A key that `exchange` takes once, within five minutes. */
  makeLink(as: { role: SignIn['role']; name?: string | undefined }): SignInLink;
  /** The secret of a new sign-in; undefined for a key that was never made, was used before, or is too old. */
  exchange(key: string, from: { agent: string }): { secret: string; signIn: SignIn } | undefined;
  /** Undefined for a secret that was never made, was ended, or is too old. */
  find(secret: string): SignIn | undefined;
  /** Whether the sign-in of this id has neither ended nor become too old. */
  has(id: string): boolean;
  /** The newest first. */
  list(): SignIn[];
  /** False when there is none of this id. */
  end(id: string): boolean;
}
