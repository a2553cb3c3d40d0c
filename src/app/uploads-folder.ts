// Where files that come with messages are kept. Only the name: the store makes the folder.

/** Inside the home folder. */
export const uploadsFolder = 'channel_uploads';
