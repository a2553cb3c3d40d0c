// The long answer that the offline model knows by heart: how to set Parley up. Markdown, true of this program.

/** A guide of several screens: what Parley is, tokens for each platform, configuration, memory, and what to do when it is silent. */
export const guide = `# Setting up Parley

I am running offline (no model key is set), so this guide is written out and not made up. It explains what Parley is, how to get a token for each platform, what you can configure, and where to look when something stays silent.

## What Parley is

Parley is one assistant behind a Discord bot, a Telegram bot and a Slack bot, with a memory that lasts. One engine stores the sessions and talks to the model; each platform has its own adapter; and what was written on one platform can be recalled on another, as far as the people there could have read it.

- **A session** is one conversation: a direct message with one person, or a room or thread that everyone in it shares.
- **A run** is one answer in a session. There is one at a time; what you write in the meantime waits its turn.
- **Memory** stores completed exchanges: what a person said and what was answered, with who, where and when.

## Two commands

On a machine with npm and any Node from 20 on:

\`\`\`bash
npm ci
npm start
\`\`\`

Without any platform token this starts the **sandbox**: one page with three chat panes, Discord, Telegram and Slack, where you can try everything without an account. With tokens, the real platforms are connected. \`npm run demo\` plays a fixed story on all three platforms and prints what people would see.

Tokens and keys are secrets. They belong in the environment or in a file named \`.env\` next to the config, never in the config itself:

\`\`\`bash
DISCORD_BOT_TOKEN=...
TELEGRAM_BOT_TOKEN=...
SLACK_BOT_TOKEN=xoxb-...
SLACK_APP_TOKEN=xapp-...
OPENAI_API_KEY=...
\`\`\`

## Discord

1. Open the [Discord developer portal](https://discord.com/developers/applications) and press **New Application**; give it a name.
2. Choose **Bot** on the left. Press **Reset Token**, copy the token, and put it into \`DISCORD_BOT_TOKEN\`. It is shown once.
3. On the same page, under **Privileged Gateway Intents**, switch on **Message Content Intent**. Without it Discord refuses the connection.
4. Choose **OAuth2**, then **URL Generator**. Tick the scopes \`bot\` and \`applications.commands\`, and below them the permissions *View Channels*, *Send Messages*, *Send Messages in Threads*, *Read Message History*, *Add Reactions* and *Attach Files*.
5. Open the address that is shown at the bottom, choose your server and confirm.

In a server the bot answers when it is mentioned, when one of its messages is replied to, and in threads where it takes part. In a direct message it always answers. The documentation for bots is at [discord.com/developers/docs](https://discord.com/developers/docs/intro).

## Telegram

1. In Telegram, open a chat with [@BotFather](https://t.me/BotFather) and send \`/newbot\`.
2. Choose a display name, then a user name that ends in \`bot\`.
3. BotFather answers with a token. Put it into \`TELEGRAM_BOT_TOKEN\`.
4. For groups: bots start in *privacy mode* and see only messages that mention them, that reply to them, or that are commands. That is enough for Parley. To let it see the rest of a conversation, send \`/setprivacy\` to BotFather, choose the bot, choose **Disable**, and then remove the bot from the group and add it again, since the change does not reach groups that it is already in.
5. Add the bot to a group like any other member, or write to it directly.

Nothing has to be reachable from outside: Parley asks Telegram for news by long polling. Only one program may do that with one token: Telegram refuses a second one, and Parley says so. The reference is at [core.telegram.org/bots/api](https://core.telegram.org/bots/api).

## Slack

1. Run \`parley slack manifest --link\` and open the link that it prints; choose your workspace and press **Create**. (Or open [api.slack.com/apps](https://api.slack.com/apps), press **Create New App**, then **From a manifest**, and paste what \`parley slack manifest\` prints.)
2. Under **Basic Information**, **App-Level Tokens**, make a token with the scope \`connections:write\` and put it into \`SLACK_APP_TOKEN\` (it begins with \`xapp-\`).
3. Choose **Install App**, and put the bot token (it begins with \`xoxb-\`) into \`SLACK_BOT_TOKEN\`.
4. In Slack, invite the bot to a channel with \`/invite\`, or open a direct message with it.

The manifest subscribes to the bot events \`app_mention\`, \`app_uninstalled\`, \`channel_left\`, \`channel_rename\`, \`channel_shared\`, \`channel_unshared\`, \`group_left\`, \`group_rename\`, \`member_joined_channel\`, \`member_left_channel\`, \`message.channels\`, \`message.groups\`, \`message.im\`, \`message.mpim\`, \`reaction_added\`, \`reaction_removed\`, \`team_join\`, \`team_rename\`, \`tokens_revoked\` and \`user_change\`, and asks for these bot token scopes:

- \`app_mentions:read\` and \`chat:write\`, to be asked and to answer
- \`channels:history\`, \`groups:history\`, \`im:history\` and \`mpim:history\`, to read where it is a member
- \`channels:read\`, \`groups:read\`, \`im:read\` and \`mpim:read\`, to know the places it is in
- \`im:write\`, to say in private that a room did not take an answer
- \`commands\`, for the slash command \`/parley\`
- \`files:read\`, \`files:write\` and \`reactions:write\`, to take and send files and to mark what waits
- \`reactions:read\`, to know what people react with under an answer
- \`team:read\`, to hear that the workspace has another name
- \`users:read\`, to call people by their names, and to know guests and who has left

Without an app-level token Parley reads the channels by asking for their history now and then. That works, only more slowly. Slack's own guide to Socket Mode is at [docs.slack.dev](https://docs.slack.dev/apis/events-api/using-socket-mode).

## The first hello

\`parley init\` asks for all of the above, checks each token live and writes the files. \`parley start\` connects it. Then write to the bot in private: it talks only with people who were admitted, so it gives you a code, and

\`\`\`bash
parley people approve CODE --name NAME --role owner
\`\`\`

makes you its owner. Others are admitted the same way, without the role. \`parley doctor\` looks at everything that can stand in the way, and says how it is fixed.

## A model

Without a model key you are talking with me: I can repeat what memory holds, word for word and with its source, and nothing more. To get answers with wit, set one of these and start again:

| variable | provider | where the key comes from |
|---|---|---|
| \`OPENAI_API_KEY\` | OpenAI | [platform.openai.com](https://platform.openai.com/api-keys) |
| \`ANTHROPIC_API_KEY\` | Anthropic | [console.anthropic.com](https://console.anthropic.com/) |
| \`GOOGLE_GENERATIVE_AI_API_KEY\` | Google | [aistudio.google.com](https://aistudio.google.com/apikey) |
| \`OPENAI_BASE_URL\` | any server that speaks the OpenAI API | the server itself |

The last one is for models of your own, for example with Ollama, vLLM or llama.cpp.

## Configuration

Everything that is not secret is in \`parley.config.json\`, or in the file that you name with \`--config FILE\`. All of it is optional. A JSON Schema comes with the program, so that editors can complete the keys and mark mistakes.

| key | what it decides |
|---|---|
| \`channels.discord.apiUrl\` | another root of Discord's API |
| \`channels.telegram.apiUrl\` | another Bot API server, for example one of your own |
| \`channels.slack.apiUrl\` | another root of Slack's Web API |
| \`channels.<name>.sessions\` | \`"person"\` gives each person in a room a separate session |
| \`memory.sharing\` | how far memory of public rooms reaches: \`"room"\`, \`"space"\` or \`"everyone"\` |

\`\`\`json
{
  "channels": { "discord": { "sessions": "person" } },
  "memory": { "sharing": "space" }
}
\`\`\`

A wrong key or value names itself, says what was expected and which known key is nearest, and nothing starts half-configured. A token that one platform refuses leaves the other platforms running and says so.

The home folder holds the databases. It is \`.parley\` unless \`PARLEY_HOME\` names another. The engine listens on 127.0.0.1, port 7410, and asks for a bearer token, which is made at the first start and stored in the home folder, readable by its owner only; \`PARLEY_TOKEN\` sets your own.

## Memory, and who is reminded of what

After the last part of an answer has arrived, the exchange is stored: once, with the person, the place and the time. The rule is short: **nobody is shown a memory that they could not have read.**

1. What you say in a direct message is recalled only to you, in your own direct messages, on any platform that is linked to you.
2. What is written in a room is recalled in that room, and to the people seen there in their direct messages. With \`memory.sharing\` set to \`"space"\`, which it is unless you change it, it is also recalled somewhere else in the same server, workspace or group.
3. What is written in a private room never leaves that room and the people seen in it.
4. Commands, errors, the model's reasoning and what tools returned are not stored, and what was recalled is not stored a second time.

## When it stays silent

- **In a room:** was the bot mentioned, replied to, or is it part of the thread? Otherwise it listens only.
- **On Discord:** is *Message Content Intent* switched on, and may the bot see that channel and write in it?
- **On Telegram:** does another program use the same token? Was the bot added to the group again after its privacy mode was changed?
- **On Slack:** was the app installed again after scopes were added? Is the bot a member of the channel?
- **An answer with a reference** such as \`ref_...\` means that something failed. The same reference is in the log with the details, which are not shown in the chat.

That is all there is to it. Tell me something, then ask me about it from another platform.
`;
