// Deutsch: was geschieht, bevor es eine Antwort gibt, während die Werkzeuge des Modells laufen.

export const toolProgress = {
  line: ({ work }: { work: string }) => `⏳ ${work} …`,
  lineAbout: ({ work, detail }: { work: string; detail: string }) => `⏳ ${work}: ${detail} …`,
  searchingMemory: 'Ich suche im Gedächtnis',
  searchingWeb: 'Ich suche im Web',
  readingMemory: 'Ich lese im Gedächtnis',
  writingMemory: 'Ich ändere das Gedächtnis',
  reading: ({ name }: { name: string }) => `Ich lese ${name}`,
  writing: ({ name }: { name: string }) => `Ich schreibe ${name}`,
  speaking: 'Ich spreche eine Sprachnachricht',
  drawing: 'Ich zeichne ein Bild',
  scheduling: 'Ich sehe im Terminplan nach',
  running: ({ tool, subject }: { tool: string; subject: string }) =>
    `Ich führe ${tool} aus${subject === '' ? '' : `: ${subject}`}`,
  more: ({ n }: { n: number }) => `⏳ und ${n} weitere …`,
};
