// Which words carry no meaning, which carry little, and which turn a meaning round. English; other languages rely on rarity.

const list = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Left out of a query unless nothing else is in it; still indexed. */
export const stopWords = list(`
a about above after again against all also am an and any are arent as at be because been before being below between both but by
can cant could couldnt did didnt do does doesnt doing dont down during each else ever few for from further had hadnt has hasnt have
havent having he hed hell her here heres hers herself him himself his how hows i id if ill im in into is isnt it its itself ive
just lets me more most my myself no nor not of off on once only or other our ours ourselves out over own please same she shed shes
should shouldnt so some such than that thats the their theirs them themselves then there theres these they theyd theyll theyre theyve
this those through to too under until up us very was wasnt we wed well were werent weve what whats when whens where wheres which
while who whos who whose why whys will with wont would wouldnt yes you youd youll your youre yours yourself yourselves youve
`);

/** Words of talk itself: they help a ranking a little and prove nothing alone. Given as stems. */
export const weakStems = list(`
ask answer bye chat cool dai earlier fine get give go good great guess hei hello help hi kind know later let like lol look lot mai mayb
mean memori mention messag might much must need nice now okai ok old rememb recal remind right sai said sure tell thank thing think time
todai tomorrow tonight try us veri want wai week word write yeah year yep yesterdai yet new talk speak previous previousli question
`);

/** Courtesies and articles: two texts that differ in nothing else say the same. Given as stems. */
export const fillers = list(
  'a an the pleas just realli veri so well oh hei hi hello ok okai thank btw actual also too rememb note that',
);

/** Words of attribution, as in `> "..." (discord, you, 2026-11-21)`: they add nothing to a quotation. */
export const attributionWords = list(`
according ago back bot chat channel conversation conversations date direct discord dm earlier from group history id mem memory mentioned mention noted note
previously quote recall recalled remember reminded room said say says score session slack source speaker telegram told tell message messages
wrote write answered answer assistant asked here know
`);
