// What an operator clicks to fix a Discord bot.

/** The click path to the Message Content switch. */
export const intentHint =
  'Open https://discord.com/developers/applications, choose the application, then Bot, Privileged Gateway Intents, ' +
  'switch on "Message Content Intent" and save; then start again.';

/** The click path to a new token. */
export const tokenHint =
  'Open https://discord.com/developers/applications, choose the application, then Bot, Reset Token, ' +
  'and set the new one as DISCORD_BOT_TOKEN.';

/** The click path to the right to write in a channel. */
export const writeHint =
  'Open the channel\'s settings (Edit Channel, Permissions), choose the bot\'s role, and allow "View Channel", "Send Messages", ' +
  '"Send Messages in Threads" and "Read Message History".';

/** The click path to a thread that was locked. */
export const lockedHint =
  'Open the thread\'s menu and choose "Unlock Thread", or allow the bot\'s role "Manage Threads" in the channel.';

/** What uses up the connections of a day: Discord resets the token of a bot that continues beyond them. */
export const startsHint =
  'Something begins them again and again: look in the log for why it reconnects, for a service that restarts it, ' +
  'and for another program with this token.';
