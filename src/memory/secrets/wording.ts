// How people lead from the word for a secret to the secret: "password for the router is", "PIN:", "le mot de passe du wifi, c'est". Pieces of patterns.

/** What it is for, between the noun and the verb. */
export const aboutPattern =
  '(?:["\'*_`]*)(?:\\s+(?:wifi|wi-fi|wlan|internet|e-?mail))?' +
  '(?:\\s+(?:for|to|of|on|at|in|für|de|del|pour|zu|do|na|von|du|des|della|dello|delle|der|meiner|meines|meinem|vom|zum|zur|van|para|da|per|al)\\s+[^\\n.:=!?"]{1,40}?' +
  '|\\s+(?:de\\s+l|dell|d)[\'’][^\\n.:=!?"]{1,40}?)?';

/** The verb or sign before it. */
export const linkPattern =
  '(?:\\s*(?::=|=>|->|→|=|:|：|是|为|は)\\s*' +
  "|\\s+(?:(?:is|was|ist|lautet|war|es|est|è|é|era|to|e['’])(?:\\s+(?:now|still|currently|set\\s+to|just|jetzt))?)\\s*:?\\s+" +
  "|\\s*,?\\s+c['’]est\\s+)";
