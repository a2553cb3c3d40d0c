// Discord's permission numbers, as far as the sandbox uses them. Who has which is computed elsewhere.

export const permissionBits = {
  banMembers: 1n << 2n,
  administrator: 1n << 3n,
  addReactions: 1n << 6n,
  viewAuditLog: 1n << 7n,
  viewChannel: 1n << 10n,
  sendMessages: 1n << 11n,
  readMessageHistory: 1n << 16n,
  connect: 1n << 20n,
  manageThreads: 1n << 34n,
  createPublicThreads: 1n << 35n,
  createPrivateThreads: 1n << 36n,
  sendMessagesInThreads: 1n << 38n,
} as const;

/** What @everyone and the bot may do in a new guild. */
export const ordinary =
  permissionBits.addReactions |
  permissionBits.viewChannel |
  permissionBits.sendMessages |
  permissionBits.readMessageHistory |
  permissionBits.connect |
  permissionBits.createPublicThreads |
  permissionBits.createPrivateThreads |
  permissionBits.sendMessagesInThreads;
