// Facts told and asked in other words in many languages, as a chat has them: the questions are archived too.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exchange, mine, openMemory, start } from './open-memory.ts';

/** A fact, and a question about it in other words. */
type Told = readonly [fact: string, question: string];

const talks: Readonly<Record<string, { told: readonly Told[]; never: readonly string[] }>> = {
  German: {
    told: [
      ['Meine Katze heißt Minka', 'Wie hieß noch mal die Katze?'],
      ['Ich wohne seit März in Hamburg', 'In welcher Stadt wohnen wir?'],
      ['Mein Fahrradschloss ist blau', 'Ist das Schloss blau oder grün?'],
      ['Ich bin allergisch gegen Erdnüsse', 'Auf welche Nüsse reagiere ich allergisch?'],
      ['Unser Hochzeitstag ist der dritte Mai', 'Wann war unsere Hochzeit?'],
      ['Meine Schwester arbeitet bei der Post', 'Wo ist die Arbeit meiner Schwester?'],
      ['Ich trinke meinen Kaffee ohne Zucker', 'Wie viel Zucker will ich im Kaffee?'],
      ['Der Zahnarzttermin ist am Donnerstag um neun', 'Um wie viel Uhr habe ich den Termin?'],
      ['Mein Lieblingsbuch ist Momo', 'Welches Buch mag ich am liebsten?'],
      ['Das Auto muss im August zum TÜV', 'Wann müssen die Autos zum TÜV?'],
    ],
    never: ['Welche Schuhgröße habe ich?', 'Wie heißt mein Onkel?', 'Hallo!', 'Danke schön'],
  },
  French: {
    told: [
      ["Mon chat s'appelle Minou", 'Quel est le nom de mes chats ?'],
      ["J'habite à Lyon depuis mars", "Dans quelle ville est-ce que j'habitais ?"],
      ['Mon casier est au deuxième étage', 'À quel étage sont les casiers ?'],
      ['Je suis allergique aux arachides', 'À quoi ai-je une allergie, aux arachides ?'],
      ['Notre anniversaire de mariage est le trois mai', 'Quand sont les anniversaires de mariage ?'],
      ['Ma sœur travaille à la banque', 'Où travaillent mes sœurs ?'],
      ['Je bois mon café sans sucre', 'Combien de sucres dans mon café ?'],
      ['Le rendez-vous chez le dentiste est jeudi', 'Quand vois-je les dentistes ?'],
      ['Mon livre préféré est Candide', 'Quels livres est-ce que je préfère ?'],
      ['La voiture doit passer au contrôle en août', 'Quand contrôler les voitures ?'],
    ],
    never: ['Quelle est ma pointure ?', 'Comment va mon oncle ?', 'Bonjour !', 'Merci beaucoup'],
  },
  Spanish: {
    told: [
      ['Mi gato se llama Luna', '¿Cómo se llaman mis gatos?'],
      ['Vivo en Sevilla desde marzo', '¿Desde cuándo vivimos en Sevilla?'],
      ['Mi taquilla está en el segundo piso', '¿En qué piso están las taquillas?'],
      ['Soy alérgico a los cacahuetes', '¿Tengo alergia a algún cacahuete?'],
      ['Nuestro aniversario de boda es el tres de mayo', '¿Cuándo son los aniversarios de boda?'],
      ['Mi hermana trabaja en un banco', '¿Dónde trabajan mis hermanas?'],
      ['Tomo el café sin azúcar', '¿Cuánto azúcar en los cafés?'],
      ['La cita con el dentista es el jueves', '¿Cuándo veo a los dentistas?'],
      ['Mi libro favorito es Platero', '¿Qué libros son mis favoritos?'],
      ['El coche pasa la revisión en agosto', '¿Cuándo revisan los coches?'],
    ],
    never: ['¿Qué número de zapato uso?', '¿Cómo está mi tío?', '¡Hola!', 'Muchas gracias'],
  },
  Russian: {
    told: [
      ['Мою кошку зовут Мурка', 'Какое имя у кошки?'],
      ['Я живу в Казани с марта', 'Мы живём в Казани или в Москве?'],
      ['Мой шкафчик на втором этаже', 'На каком этаже шкафчики?'],
      ['У меня аллергия на арахис', 'На какой арахис аллергии?'],
      ['Годовщина нашей свадьбы третьего мая', 'Когда годовщины свадеб?'],
      ['Моя сестра работает в банке', 'Где работают сёстры?'],
      ['Я пью кофе без сахара', 'Сколько сахару класть в кофе?'],
      ['Приём у стоматолога в четверг', 'Когда приёмы у стоматологов?'],
      ['Моя любимая книга Идиот', 'Какие книги любимые?'],
      ['Машину надо проверить в августе', 'Когда проверка машины?'],
    ],
    never: ['Какой у меня размер обуви?', 'Как дела у моего дяди?', 'Привет!', 'Спасибо большое'],
  },
  Chinese: {
    told: [
      ['我的猫叫小白', '猫的名字是什么？'],
      ['我从三月起住在上海', '我住在哪个城市？'],
      ['我的储物柜在二楼', '储物柜在哪一楼？'],
      ['我对花生过敏', '我对什么过敏？'],
      ['我们的结婚纪念日是五月三日', '结婚纪念日是哪天？'],
      ['我妹妹在银行工作', '妹妹的工作是什么？'],
      ['我喝咖啡不加糖', '咖啡要加糖吗？'],
      ['牙医预约在星期四', '什么时候看牙医？'],
      ['我最喜欢的书是红楼梦', '我喜欢哪本书？'],
      ['汽车八月要年检', '汽车什么时候年检？'],
    ],
    never: ['我的鞋码是多少？', '叔叔身体好吗？', '你好！', '谢谢'],
  },
  Japanese: {
    told: [
      ['私の猫の名前はタマです', '猫は何という名前ですか？'],
      ['三月から大阪に住んでいます', 'どこに住んでいますか？'],
      ['ロッカーは二階にあります', 'ロッカーは何階ですか？'],
      ['ピーナッツにアレルギーがあります', '何のアレルギーがありますか？'],
      ['結婚記念日は五月三日です', '結婚記念日はいつですか？'],
      ['妹は銀行で働いています', '妹はどこで働いていますか？'],
      ['コーヒーは砂糖なしで飲みます', 'コーヒーに砂糖を入れますか？'],
      ['歯医者の予約は木曜日です', '歯医者はいつですか？'],
      ['一番好きな本は坊っちゃんです', '好きな本は何ですか？'],
      ['車の車検は八月です', '車検はいつですか？'],
    ],
    never: ['靴のサイズは？', '叔父さんは元気？', 'こんにちは！', 'ありがとう'],
  },
};

test('facts that were reported in a language are recalled for questions in other words, and nothing for what was never said', async (t) => {
  const rates: Record<string, string> = {};
  for (const [language, { told, never }] of Object.entries(talks)) {
    const memory = openMemory(t);
    let at = start;
    const say = (userText: string, assistantText: string) => {
      at += 60_000;
      return memory.archive(exchange(userText, { assistantText, at }));
    };
    for (const [fact] of told) await say(fact, '');
    for (const text of never) {
      const { hits } = await memory.recall({ text, scope: mine });
      assert.deepEqual(
        hits.map((hit) => hit.text),
        [],
        `${language}: ${text}`,
      );
    }
    let met = 0;
    const missed: string[] = [];
    for (const [fact, question] of told) {
      const { hits } = await memory.recall({ text: question, scope: mine });
      if (hits.slice(0, 3).some((hit) => hit.text.includes(fact))) met += 1;
      else missed.push(question);
      await say(question, '');
    }
    rates[language] = `${met} of ${told.length}${missed.length === 0 ? '' : `, not ${missed.join(' / ')}`}`;
    assert.ok(met / told.length >= 0.85, `${language}: ${rates[language]}`);
  }
});
