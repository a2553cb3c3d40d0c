// Folders and files inside the home folder. Only their names: the writer of a file makes its folder.

/** Files that came with messages. */
export const uploadsFolder = 'channel_uploads';

/** Files that runs wrote, while the channels of another process have to send them. */
export const artifactCopiesFolder = 'artifact_copies';

/** Files that the gateway makes to be sent. */
export const exportsFolder = 'exports';

/** Embedding models that were downloaded; they can be downloaded again. */
export const modelsFolder = 'models';

/** What the simulated platforms keep of what was written on them. */
export const sandboxFile = 'sandbox.sqlite';

/** Below it one folder for each audience, with its memory files. */
export const memoryFilesFolder = 'memory';

/** The index and config of qmd; not in backups, since they are made of the memory files. */
export const qmdFolder = 'qmd';

/** Next to the home folder, where the console suggests to write backups. */
export const backupsFolder = 'parley-backups';

/** Who is signed in to the console; not in backups, so that a restored home has no sign-ins. */
export const signInsFile = 'console.sqlite';
