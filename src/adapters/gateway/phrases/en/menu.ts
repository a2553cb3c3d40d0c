// English: the commands as menus and `/help` list them. Each line has at most 100 characters.

export const menu = {
  help: { help: 'what I can do here' },
  new: { help: 'start a new conversation (I still remember the old one)', takes: '[TITLE]' },
  sessions: { help: 'list the conversations of this chat', takes: '[PAGE]' },
  resume: { help: 'go back to an earlier conversation of this chat', takes: 'ID' },
  rename: { help: 'give this conversation another title', takes: 'TITLE' },
  status: { help: 'show the model, the conversation and whether everything works' },
  stop: { help: 'stop the answer I am writing', takes: '[ID]' },
  retry: { help: 'answer your last message again' },
  model: { help: 'show the model that answers here, or choose another', takes: '[NAME|default]' },
  agent: { help: 'show the agent that answers here, or choose another', takes: '[NAME|default]' },
  tools: { help: 'list the tools I may use here', takes: '[PAGE]' },
  memory: {
    help: 'search, save or delete what I remember here',
    takes: 'search WORDS | save TEXT | forget ID | recent [PAGE] | file [NAME] | note TEXT',
  },
  forget: { help: 'permanently delete everything I store about you', takes: 'me' },
  whoami: { help: 'show how I know you' },
  link: { help: 'connect another account of yours', takes: '[CODE]' },
  pairings: { help: 'list the people who wait to be admitted' },
  approve: { help: 'allow a tool, or admit someone', takes: '[ID] or CODE [NAME [same-person]]' },
  deny: { help: 'refuse a tool, or turn someone away', takes: '[ID] or CODE' },
  answer: { help: 'answer a question I asked', takes: '[ID] TEXT' },
  usage: { help: 'show the tokens and the cost of this conversation' },
  export: {
    help: 'get this conversation as a file; in private, `me` gives everything about you',
    takes: '[me]',
  },
};
