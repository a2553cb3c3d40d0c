// Texts in which there is nothing to look for: greetings, thanks, leave and agreement, in the languages whose words memory stems, Chinese and Japanese.

/** Phrases that make a text a greeting, by language; each begins one. */
const greetings = `
hello, hi, hey, hiya, howdy, greetings, welcome back, morning all, morning everyone, good morning, good day, good afternoon, good evening, good night,
how are you, how are things, how is it going, how's it going, how do you do, what's up, what is up, wassup, sup, nice to meet you,
pleased to meet you, long time no see, thanks, thank you, many thanks, thx, cheers, bye, bye bye, goodbye, see you, see ya, take care,
have a good one, have a nice, have a good, have a great, sleep well
hallo, guten morgen, guten tag, guten abend, gute nacht, moin, servus, grüß gott, grüß dich, wie geht es, wie geht's, danke, vielen dank,
dankeschön, danke schön, tschüss, tschüs, ciao, auf wiedersehen, bis morgen, bis später, bis bald, bis dann, schlaf gut, schönen tag,
schönen abend
bonjour, bonsoir, salut, coucou, bonne nuit, bonne journée, bonne soirée, ça va, comment ça va, comment vas-tu, comment allez-vous, merci,
au revoir, à demain, à bientôt, à plus
hola, buenas, buenos días, buenas tardes, buenas noches, cómo estás, cómo está, qué tal, gracias, muchas gracias, adiós, hasta luego,
hasta mañana, hasta pronto
olá, oi, bom dia, boa tarde, boa noite, tudo bem, como vai, obrigado, obrigada, muito obrigado, tchau, até logo, até amanhã
buongiorno, buon giorno, buonasera, buona sera, buonanotte, buona notte, salve, come stai, come va, grazie, mille grazie, arrivederci, a domani,
a presto
hoi, goedemorgen, goedemiddag, goedenavond, goede morgen, goede middag, welterusten, hoe gaat het, dank je, dank u, bedankt, doei, tot ziens,
tot morgen, tot straks
hej, hejsan, god morgon, god dag, god kväll, god natt, hur mår du, hur är det, tack, tack så mycket, hej då, vi ses
привет, здравствуйте, здравствуй, доброе утро, добрый день, добрый вечер, спокойной ночи, как дела, спасибо, большое спасибо, пока,
до свидания, до завтра
你好, 您好, 大家好, 嗨, 早安, 早上好, 晚上好, 晚安, 你好吗, 谢谢, 谢谢你, 多谢, 再见
こんにちは, こんばんは, おはよう, おはようございます, ありがとう, ありがとうございます, おやすみ, おやすみなさい, さようなら, お元気ですか`;

/** Phrases that agree, refuse or cheer. */
const agreements = `
ok, okay, k, cool, great, nice, perfect, lol, haha, wow, sure, yes, yep, yeah, no, nope, you're welcome, no problem, got it,
alles klar, super, ja, nein, gern, gerne, prima, d'accord, oui, non, vale, sí, de nada, sim, não, va bene, nee, nej, да, нет, хорошо, 好的, はい`;

/** Words that may follow one and ask nothing either. */
const companions = new Set(
  words(`you your yours all everyone everybody there again my dear friend friends guys folks team and to today tonight tomorrow later soon very much
so a an lot for that it then now well the help everything really i am im me doing been too this morning afternoon evening night day weekend week
bot assistant back in next time one good fine nice great ja du dir dich euch ihnen ihr sie alle allerseits zusammen mein meine liebe lieber sehr
viel schön heute auch und gut wieder tout le monde à tous toi vous beaucoup bien mon ma et très todos todas a ti usted muy bien amigo amiga y
tudo todos você muito bem e a tutti tu te molto bene allemaal iedereen jou met u goed wel alla dig mycket på bra всем вам тебя у и очень друг`),
);

const greetingPhrases = new Set(phrasesOf(greetings));
const emptyPhrases = new Set([...greetingPhrases, ...phrasesOf(agreements)]);
/** A text that ends with a word that is written as a name is. */
const named = /^(.{1,200}?)[\s,]+\p{Lu}[\p{Ll}\p{M}]+[^\p{L}\p{N}]*$/u;
const longest = 4;
/** Longer ones say something. */
const maxWords = 10;
const maxLength = 200;

/** True for a text that only greets, thanks or takes leave; a name may follow: `Good morning, Ann!` */
export function isGreeting(text: string): boolean {
  const [, unnamed = ''] = named.exec(text) ?? [];
  return [text, unnamed].some((said) => words(said).length > 0 && isMadeOf(greetingPhrases, said));
}

/** True for a greeting, for a text that only agrees or refuses, and for one without a word or number: there is nothing to look for in it. */
export function saysNothing(text: string): boolean {
  return isGreeting(text) || isMadeOf(emptyPhrases, text);
}

function isMadeOf(phrases: ReadonlySet<string>, text: string): boolean {
  const said = text.length > maxLength ? undefined : words(text);
  if (said === undefined || said.length > maxWords) return false;
  for (let at = 0, length = 0; at < said.length; at += Math.max(1, length)) {
    length = phraseAt(phrases, said, at);
    if (length === 0 && (at === 0 || !companions.has(said[at] ?? ''))) return false;
  }
  return true;
}

/** How many words of the longest phrase there; 0 for none. */
function phraseAt(phrases: ReadonlySet<string>, said: readonly string[], at: number): number {
  for (let length = Math.min(longest, said.length - at); length > 0; length -= 1)
    if (phrases.has(said.slice(at, at + length).join(' '))) return length;
  return 0;
}

function phrasesOf(list: string): string[] {
  return list.split(/[,\n]/).flatMap((phrase) => words(phrase).join(' ') || []);
}

/** In lower case, without marks and apostrophes. */
function words(text: string): string[] {
  const plain = text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\p{M}'’]/gu, '');
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}
