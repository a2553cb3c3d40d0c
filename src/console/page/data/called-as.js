// Commands of the program as the one who runs it calls it, which the page was told when it was served.
// @ts-check

const program = document.querySelector('meta[name="parley-program"]')?.getAttribute('content') ?? 'parley';

/** A command, as it can be typed. @param {string} words */
export const command = (words) => `${program} ${words}`;

/** A text of the server with the commands in it as they can be typed. @param {string} text */
export const asCalled = (text) =>
  text.replace(/(["`“])parley (?=[a-z-])/g, (_, quote) => quote + command(''));
