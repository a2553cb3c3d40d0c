// What an operator clicks to mend a Discord bot. Not how it is found out what is wrong.

/** The click path to the Message Content switch. */
export const intentCure =
  'Open https://discord.com/developers/applications, choose the application, then Bot, Privileged Gateway Intents, ' +
  'switch on "Message Content Intent" and save; then start again.';

/** The click path to a new token. */
export const tokenCure =
  'Open https://discord.com/developers/applications, choose the application, then Bot, Reset Token, ' +
  'and set the new one as DISCORD_BOT_TOKEN.';

/** What uses up the connections of a day: Discord resets the token of a bot that goes on beyond them. */
export const startsCure =
  'Something begins them again and again: look in the log for why it reconnects, for a service that restarts it, ' +
  'and for another program with this token.';
