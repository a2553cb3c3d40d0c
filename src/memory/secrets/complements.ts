// What sentences say of a password that is not the password: "wrong", "oublié", "12 characters long", in the languages whose sentences are read. Pure.

/** Words that end as these do are left as well. */
const said = new Set(
  `wrong right correct incorrect valid invalid weak strong long short simple secret safe secure insecure fine good bad great easy hard
   difficult complex complicated important unknown empty blank missing gone lost forgotten mandatory optional ready same different new
   old older newer okay broken case-sensitive sensitive private public personal confidential public default random unique temporary
   permanent obvious known stored set reset sent written wrote hidden here there below above inside still now then that this what which
   not never always only also just too very really quite almost about another something anything nothing none null nil undefined true
   false string text type number field input required enough due yours mine ours theirs his hers case case-insensitive hash hashes
   plain plaintext you they one two three part more less longer shorter stronger weaker over under out off gespeichert falsch richtig
   nicht lang kurz geheim abgelaufen vergessen incorrecta incorrect secreta mauvais perdu oublié złe znane and but or the for with
   schwach stark neu alt sicher unsicher leer weg gleich anders dieselbe dasselbe bekannt unbekannt nötig hier noch immer wichtig
   faux fausse bon bonne mauvaise perdue trop toujours encore ici faible fort forte court courte vide nouveau nouvelle ancien ancienne
   différent différente pareil obligatoire requis nécessaire inconnu inconnue correcte incorrecte juste facile difficile sûr sûre
   errata sbagliata giusta corretta debole lunga corta segreta nuova vecchia diversa stessa sempre ancora qui scritta persa buona
   necessaria obbligatoria vuota sicura semplice sconosciuta correcta larga débil fuerte nueva vieja fácil difícil misma mismo
   obligatoria necesaria vacía segura desconocida errónea aquí errada certa fraca longa curta nova velha igual obrigatória segura vazia
   incorreta correta aqui`.split(/\s+/),
);
const ending = /(?:ed|ing|ly|able|ible|less|ful|ous|ive|est|ung|lich)$/;
/** A sentence of these verbs ends in what was done to the password: `est oublié`, `è scaduta`, `es cambiada`, `ist geändert`. */
const romance = /(?:^|\s)(?:est|était|è|é|es|era|c['’]est|e['’])(?:\s|$)/iu;
const romanceEnding = /(?:é|ée|és|ées|(?:at|it|ut)[oaie]|(?:ad|id)[oa]s?)$/u;
const german = /(?:^|\s)(?:ist|war)(?:\s|$)/iu;
const germanDone = /^(?:ge|ver|be|er|zer|ent|ab|auf)\p{Ll}{3,}(?:t|en)$/u;

/** Whether a single word is only said of the password; `by` is what is between the noun and it. */
export function isComplement(word: string, by: string): boolean {
  const lower = word.toLowerCase();
  if (said.has(lower) || ending.test(lower)) return true;
  if (romance.test(by) && romanceEnding.test(lower)) return true;
  return german.test(by) && germanDone.test(word);
}

/** Whether the word is one of those that say something of a password, whatever is around it. */
export function isSaidOfPasswords(word: string): boolean {
  return said.has(word.toLowerCase());
}

/** What a number counts, when it is no password. */
export const unit =
  /^\s*(?:-\s*)?(?:char|letter|digit|symbol|word|year|month|week|day|hour|minute|min\b|sec|time|bit|byte|line|euro|dollar|zeichen|stellen|tage|zeilen|caract|chiffre|lettre|ligne|mots?\b|jours?\b|ans?\b|cifre|letter|righe|giorni|cifras|letras|l[ií]neas|d[ií]as|linhas|dias|[€$%])/i;
