// The fixed story of `parley demo`: what is written where, and what must be true of each answer. Data only.
import type { SandboxChat, SandboxFile, SandboxPlatform, SandboxUser } from '#sandbox/contract.ts';
import { letter, lift } from './sent-files.ts';

export interface Scene {
  platform: SandboxPlatform;
  chat: SandboxChat;
  user: SandboxUser;
  text: string;
  /** What comes with the message. */
  files?: readonly SandboxFile[];
  /** The answer has to contain this. */
  expects?: RegExp;
  /** The answer must not contain this: the person who asks here could not have read it. */
  forbids?: RegExp;
  /** The answer needs at least this many parts. */
  minParts?: number;
  /** A person writes this into `MEMORY.md` of the one person with memory files, before the message is written. */
  edited?: string;
  /** The program is killed while this answer is being delivered, and started again. */
  killed?: true;
  /**
   * Nobody writes: it comes when it is due, after the program was killed and started again. The story of the rooms is played in the
   * meantime. The text says so in the transcript.
   */
  comes?: true;
  /** It is written while the scene before it is still being answered, in another chat. */
  meanwhile?: true;
  /** The answer is only to be found in what was written on another platform. */
  recall?: true;
}

export const story: readonly Scene[] = [
  { platform: 'discord', chat: 'dm', user: 'you', text: 'My locker at the station is number 4512.' },
  {
    platform: 'discord',
    chat: 'room',
    user: 'you',
    text: 'The team meets on Thursdays at ten in the small library.',
    meanwhile: true,
  },
  {
    platform: 'telegram',
    chat: 'dm',
    user: 'you',
    text: 'The spare key is under the blue flowerpot.',
    meanwhile: true,
  },
  {
    platform: 'telegram',
    chat: 'room',
    user: 'you',
    text: 'The printer on the second floor wants thick paper.',
    meanwhile: true,
  },
  {
    platform: 'slack',
    chat: 'dm',
    user: 'you',
    text: 'Remind me that my passport expires in March.',
    meanwhile: true,
  },
  {
    platform: 'slack',
    chat: 'room',
    user: 'you',
    text: 'The release is called Heron and ships on Monday.',
    meanwhile: true,
  },
  {
    platform: 'discord',
    chat: 'dm',
    user: 'you',
    text: 'Show me the guide, please.',
    minParts: 3,
    killed: true,
  },
  {
    platform: 'slack',
    chat: 'dm',
    user: 'you',
    text: 'Where is the spare key?',
    expects: /blue flowerpot/,
    recall: true,
  },
  {
    platform: 'telegram',
    chat: 'dm',
    user: 'you',
    text: 'What is the number of my locker at the station?',
    expects: /4512/,
    recall: true,
    meanwhile: true,
  },
  {
    platform: 'telegram',
    chat: 'dm',
    user: 'you',
    text: '/memory note The bicycle is in the shed.',
    expects: /Written down, in line/,
  },
  {
    platform: 'telegram',
    chat: 'dm',
    user: 'you',
    edited: 'The bicycle pump hangs behind the boiler.',
    text: 'Where does the bicycle pump hang?',
    expects: /behind the boiler\.\s+— the file MEMORY\.md/,
  },
  {
    platform: 'slack',
    chat: 'room',
    user: 'guest',
    text: 'Where is the spare key?',
    forbids: /flowerpot/,
    meanwhile: true,
  },
  {
    platform: 'slack',
    chat: 'dm',
    user: 'you',
    text: 'What is in this picture?',
    files: [lift()],
    expects: /cannot look into .?lift\.png/,
    meanwhile: true,
  },
  {
    platform: 'discord',
    chat: 'dm',
    user: 'guest',
    text: 'What does the lift look like?',
    files: [lift()],
    expects:
      /^Of lift\.png I know no more than its name\.\s+\(My model cannot see pictures, so I answered without lift\.png/,
    meanwhile: true,
  },
  {
    platform: 'discord',
    chat: 'dm',
    user: 'guest',
    text: 'And what is two and two?',
    expects: /^Two and two is four\.\s*$/,
  },
  {
    platform: 'slack',
    chat: 'dm',
    user: 'you',
    text: 'What does this letter say?',
    files: [letter()],
    meanwhile: true,
    expects: /half past seven from pier 4\.\s+— .?letter\.rtf/,
  },
  {
    platform: 'discord',
    chat: 'dm',
    user: 'you',
    text: 'What is the number of my locker at the station? Where is the spare key?',
    expects: /^2 agents looked[\s\S]*4512[\s\S]*blue flowerpot/,
    recall: true,
    meanwhile: true,
  },
  {
    platform: 'discord',
    chat: 'dm',
    user: 'you',
    text: '/mission',
    expects: /2 of 2 done[\s\S]*✅ \**Researcher[\s\S]*✅ \**Researcher/,
  },
  {
    platform: 'telegram',
    chat: 'dm',
    user: 'you',
    text: '/remind in 8 seconds water the tomatoes',
    meanwhile: true,
    expects: /remind you on .*: “water the tomatoes”/,
  },
  { platform: 'telegram', chat: 'dm', user: 'you', text: '/remind yes', expects: /It is set/ },
  {
    platform: 'telegram',
    chat: 'dm',
    user: 'you',
    text: '(the program was killed and started again before the rooms; now it is time)',
    comes: true,
    expects: /^⏰ water the tomatoes/,
  },
];

/** The scenes as they are played: one after the other, each with those that are written meanwhile. */
export function acts(scenes: readonly Scene[] = story): Scene[][] {
  const all: Scene[][] = [];
  for (const scene of scenes)
    if (scene.meanwhile) all.at(-1)?.push(scene);
    else all.push([scene]);
  return all;
}
