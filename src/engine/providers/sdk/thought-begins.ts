// Whether the first words of an answer are such as models begin to think with. Pure.

/** How models begin to think where they do not say so: about the person, about themselves, with a sound or a plan. */
const thoughtBegins = [
  ...[
    'okay',
    'ok,',
    'ok ',
    'alright',
    'all right',
    'hm',
    'so,',
    'so ',
    'well,',
    'wait',
    'now,',
    'thinking',
    'got it',
  ],
  ...["let's see", "let's think", "let's break", "let's start", 'let me think', 'let me see', 'let me start'],
  ...[
    'let me analy',
    'let me break',
    'let me work',
    'let me figure',
    'let me recall',
    'first,',
    'we need',
    'we have',
  ],
  ...[
    'we should',
    'we must',
    'i need to',
    'i have to',
    'i should',
    'the user',
    'this user',
    'user ',
    'they ask',
  ],
  ...[
    '嗯',
    '好的',
    '好，',
    '首先',
    '用户',
    '我们',
    '我需要',
    '让我想',
    '让我先',
    '让我分析',
    'ユーザー',
    'まず',
  ],
  ...[
    'der nutzer',
    'der benutzer',
    "l'utilisateur",
    'el usuario',
    'o usuário',
    "l'utente",
    'пользовател',
    'итак',
  ],
];

/** Whether a text begins as thoughts do; undefined where more of it would tell. */
export function looksLikeThought(text: string): boolean | undefined {
  const words = text.trimStart().toLowerCase().replaceAll('’', "'");
  if (thoughtBegins.some((begin) => words.startsWith(begin))) return true;
  return thoughtBegins.some((begin) => begin.startsWith(words)) ? undefined : false;
}
