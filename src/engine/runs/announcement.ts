// Whether an answer is nothing but an announcement ("Let me check that."), by its form. It says only that a look-up is about to come: of what
// could be an answer, however short, it says no. Pure.

/** Longer texts say something. */
const maxChars = 240;
/** What says more than that something is about to be looked up, anywhere in the text. */
const says =
  /[?？¿\d`|]|https?:|\b(?:tomorrow|tonight|later|once|next|every|always|forward|until|unless|but|however|because|not|never|cannot|unfortunately|remind|whenever|morgen|später|sobald|wenn|jede[nrsm]?|immer|nicht|nie|kein\w*|leider|aber|anders|demain|plus tard|pas|jamais|mais|mañana|luego|nunca|pero|domani|dopo|non|mai|ma|amanhã|depois|não|mas|niet|nooit|maar|inte|aldrig|men|imorgon)(?!\p{L})|n['’]t\b|(?<!\p{L})(?:не|завтра|потом|но)(?!\p{L})|明天|以后|没有|但|不|ません|ました|でし|明日/iu;

const politeness =
  "ok(?:ay)?|sure(?: thing)?|certainly|of course|absolutely|all ?right|right|yes|great|got it|no problem|good question|h+m+|ah|well|thanks|thank you|gern(?:e)?|natürlich|klar|ja|gut|alles klar|sicher|verstanden|bien sûr|d['’]accord|oui|très bien|claro|por supuesto|de acuerdo|vale|sí|certo|va bene|sì|certamente|sim|natuurlijk|zeker|självklart|visst|конечно|хорошо|да|好的?|当然|はい|かしこまりました|承知(?:いた)?しました|了解(?:です|しました)?";
const waiting =
  '(?:just )?(?:one|a) (?:moment|second|sec|minute)|give me (?:a|one) (?:moment|second|sec|minute)|hold on|hang on|please wait|bear with me|wait a moment|(?:einen |kleinen )?(?:moment|augenblick)(?: mal)?|gib mir (?:einen moment|eine sekunde)|bitte warte(?:n sie)?|un (?:instant|moment|momento|attimo)|um momento|een moment(?:je)?|ett ögonblick|минут(?:к)?у|секунд(?:у|очку)|请稍等|稍等(?:一下)?|少々お待ちください|お待ちください';

const soon = '(?:just |quickly |first |now |also |then |go ahead and |quick(?:ly)? )*';
const ofThese =
  '(?:the |your |that |this |these |my |our )?(?:\\w+ )?(?:files?|documents?|pages?|notes?|calendar|memory|list|links?|sites?|website|details|information|data|results?|records?|conversation|messages?|history|weather|news)';
const english = `(?:(?:let me|allow me to|i['’]ll|i will|i['’]m going to|i am going to|i need to|i['’]d like to) ${soon}(?:(?:double[- ]?)?check(?! (?:in|out|off|on)\\b)|look (?:(?:it|that|this|them) up|up|into|at|for|through|over)|search|find (?:out|that|this|it|the|your)|fetch|retrieve|pull (?:(?:it|that|this) )?up|see what|see if|see whether|review|consult|query|(?:read|open|get|examine|browse) ${ofThese}|(?:take|have) (?:a|another) (?:quick |closer )?look|(?:do|run) (?:a|another) (?:quick )?search)|let me see$|(?:(?:i['’]m|i am) )?(?:checking|looking up|searching(?: for)?|fetching|retrieving) (?:it|that|this|the|your)\\b)`;

const nachsehen =
  '(?:nach(?:sehen|schauen|schlagen|prüfen|gucken|lesen)|(?:über)?prüfen|(?:heraus|raus|durch)?suchen|schauen|checken|recherchieren|durchsehen|abrufen|herausfinden|ansehen|anschauen|kontrollieren)';
const german = `(?:lass(?:en sie)? mich .*${nachsehen}$|ich (?:werde|möchte|muss) .*${nachsehen}$|ich (?:sehe?|schaue?|gucke?|schlage?|lese) (?:.* )?nach$|ich (?:schaue?|sehe?|gucke?) mir .* an$|ich (?:über)?(?:prüfe|checke|recherchiere|kontrolliere)(?: .*)?$|ich suche (?:.* )?(?:danach|heraus|raus|für (?:dich|sie))$|ich rufe .* ab$)`;

const romance = [
  "(?:laisse[zr]?[- ]moi|permettez[- ]moi de|je vais|j['’]aimerais) (?:vite |rapidement |d['’]abord )?(?:vérifier|regarder|consulter|rechercher|chercher (?:ça|cela|dans|cette|ces|les informations)|jeter un (?:œil|coup d['’]œil))|je (?:vérifie|regarde|consulte)(?: |$)",
  '(?:déjame|déjeme|permíteme|permítame|voy a) (?:primero |ahora )?(?:verificar|comprobar|revisar|buscar|consultar|mirar|ver (?:si|qué)|echar un vistazo)',
  "(?:lasciami|fammi|mi lasci|mi faccia|vado a|ora) (?:prima |subito )?(?:verific|controll|cerc|consult|guard|vedere|dare un['’]occhiata)",
  '(?:deixe-me|deixa-me|deixa eu|deixe eu|vou|permita-me) (?:primeiro |agora )?(?:verificar|checar|procurar|pesquisar|consultar|conferir|ver (?:se|o que)|dar uma olhada)',
].join('|');
const northern = [
  '(?:laat (?:me|mij)|ik ga|ik zal) .*(?:controleren|nakijken|kijken|checken|opzoeken|zoeken|nagaan|bekijken)$',
  '(?:låt mig|jag ska|jag kommer att) (?:bara |snabbt |först )?(?:kolla|kontrollera|titta|se efter|söka|leta|undersöka)',
].join('|');
const others = [
  '(?:дай(?:те)? мне|позволь(?:те)?(?: мне)?|сейчас|давай(?:те)?|я) (?:я |сейчас )?(?:провер|посмотр|поищу|поискать|уточн|узнаю)',
  '(?:请?让我|我来|我先|我(?:这就|马上|现在)?(?:去|会)?)(?:先|来)?(?:帮[你您]|为[你您])?(?:查|搜|看看|检查|确认)(?!了|到)',
  '(?:.{0,12}を)?(?:お?調べ|確認|検索|お?探し)(?:て|し|して|いた)(?:み|いたし)?ます(?:ね)?$|調べてみますね?$|確認します$',
].join('|');

const politely = new RegExp(
  `^(?:(?:${politeness}|${waiting})(?: (?:please|bitte|s['’]il vous plaît|por favor|per favore))?(?!\\p{L})[,，!.、:\\s—–-]*)+`,
  'iu',
);
const announces = new RegExp(`^(?:${english}|${german}|${romance}|${northern}|${others})`, 'iu');

/** True where every sentence is an announcement or polite, and one is an announcement. */
export function isAnnouncement(text: string): boolean {
  const plain = text.replace(/[*_~>#]|\p{Extended_Pictographic}|\uFE0F/gu, '').trim();
  if (says.test(plain) || /```/.test(text)) return false;
  // a model that runs in circles says the same sentence many times
  const sentences = [...new Set(plain.split(/[.!…:。！：\n]+/u).map((sentence) => sentence.trim()))].filter(
    (sentence) => sentence !== '',
  );
  if (sentences.join('. ').length > maxChars) return false;
  const rests = sentences.map((sentence) => sentence.replace(politely, '').trim());
  return rests.some((rest) => rest !== '') && rests.every((rest) => rest === '' || announces.test(rest));
}

/** Whether an announcement may be what was asked for: its own words, or those of another language. */
export function mayBeAskedFor(question: string): boolean {
  if (/translat|übersetz|tradu|vertaal|översätt|перевед|翻译|翻訳|["“„«「]/iu.test(question)) return true;
  return question.split(/[.!?…,:;\n]+/u).some((part) => announces.test(part.trim()));
}
