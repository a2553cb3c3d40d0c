// Which answers are nothing but an announcement: by their form, in the languages that memory knows and a few more.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAnnouncement } from '#engine/runs/announcement.ts';

const announcements = [
  'Let me check.',
  'Let me check that.',
  'Okay, let me check your notes for that.',
  'Sure, I’ll look that up for you!',
  'I will search your memory for it now.',
  "I'm going to take a quick look at the file.",
  'One moment please, let me pull up the details.',
  'Let me see what I can find...',
  '**Let me search for that.** 🔍',
  'I need to check the calendar first.',
  'Checking your notes…',
  'Give me a moment. I will check.',
  'Lass mich das nachsehen.',
  'Lassen Sie mich kurz nachschauen.',
  'Ich schaue in deinen Notizen nach.',
  'Gerne! Ich werde das für dich überprüfen.',
  'Einen Moment, ich suche das für dich heraus.',
  'Ich prüfe das.',
  'Moment bitte, ich rufe die Seite ab.',
  'Laissez-moi vérifier.',
  'Je vais regarder dans vos notes.',
  'Déjame comprobarlo.',
  'Voy a buscar eso en tus notas.',
  'Un momento, fammi controllare.',
  'Lasciami verificare.',
  'Deixe-me verificar isso.',
  'Vou procurar isso para você.',
  'Laat me dat even nakijken.',
  'Ik ga het voor je opzoeken.',
  'Låt mig kolla det.',
  'Jag ska titta i dina anteckningar.',
  'Сейчас проверю.',
  'Позвольте мне посмотреть ваши заметки.',
  '让我查一下。',
  '好的，我来帮您查询一下。',
  '確認します。少々お待ちください。',
  '調べてみますね。',
  'Let me check that. '.repeat(40),
  'Let me check your notes.\n'.repeat(40),
];

const answers = [
  'Four.',
  'Yes.',
  'No, I cannot check that.',
  'I checked: there are none.',
  'Let me know if you need anything else.',
  'Let me check: it is 4.',
  'Let me check. There are none.',
  'I will remember that.',
  'I will look forward to it!',
  'I will check it again tomorrow.',
  'I will look into it every Monday.',
  'Let me explain.',
  'I am looking for a cat.',
  'I am reading a book about ships.',
  'Should I check that?',
  'Please check your notes.',
  'You can look that up in the manual.',
  'I could not find it.',
  'Let me look that up, but I doubt that it is there.',
  'I see.',
  'I will see you there.',
  'One moment in time is a song.',
  'Check.',
  'Searching is slow.',
  'Ich sehe das anders.',
  'Ich suche das Glück.',
  'Ich prüfe das morgen.',
  'Das habe ich nicht gefunden.',
  'Lass es mich wissen, wenn du etwas brauchst.',
  'Ich schaue nicht nach.',
  'Schau in deinen Notizen nach.',
  'Je ne vais pas vérifier.',
  'No voy a buscar eso.',
  'Je vais bien.',
  'Voy a casa.',
  'Я не проверю.',
  '我查了，没有。',
  '確認しました。',
  '你可以查一下。',
  `Let me check ${'and check '.repeat(60)}`,
  '```\nLet me check.\n```',
];

test('what announces a look-up and says nothing else is an announcement', () => {
  assert.deepEqual(
    announcements.filter((text) => !isAnnouncement(text)),
    [],
  );
});

test('what answers, asks, refuses, promises for later or has an answer behind an announcement is none', () => {
  assert.deepEqual(
    answers.filter((text) => isAnnouncement(text)),
    [],
  );
});
