// Records a voice message with the browser's microphone. Sends nothing.
// @ts-check
import { find } from './draw.js';

/** A recording ends here: about what platforms take in one message. */
const longestMs = 10 * 60_000;

/**
 * The record button of a pane's composer: the first press begins, the second one ends and gives the file to `add`. `refuse` is reported
 * with a message why nothing could be recorded.
 * @param {HTMLElement} root @param {{ add: (voice: File) => void, refuse: (words: string) => void }} to
 */
export function createRecorder(root, { add, refuse }) {
  const button = find(root, '.record', HTMLButtonElement);
  /** @type {MediaRecorder | undefined} */
  let recorder;

  /** @param {boolean} isOn */
  function mark(isOn) {
    button.ariaPressed = String(isOn);
    button.title = isOn ? 'Stop recording' : 'Record a voice message';
  }

  /** @param {MediaStream} stream */
  function begin(stream) {
    /** @type {Blob[]} */
    const pieces = [];
    const made = new MediaRecorder(stream);
    const longest = setTimeout(() => made.stop(), longestMs);
    made.ondataavailable = ({ data }) => pieces.push(data);
    made.onstop = () => {
      clearTimeout(longest);
      for (const track of stream.getTracks()) track.stop();
      recorder = undefined;
      mark(false);
      const type = made.mimeType.split(';')[0] || 'audio/webm';
      add(new File(pieces, `voice-message.${type.split('/')[1]}`, { type }));
    };
    made.start();
    recorder = made;
    mark(true);
  }

  button.onclick = async () => {
    if (recorder !== undefined) return recorder.stop();
    button.disabled = true; // the browser asks for the microphone first
    try {
      begin(await navigator.mediaDevices.getUserMedia({ audio: true }));
    } catch (error) {
      const why = error instanceof Error ? error.message : error;
      refuse(`Not recorded: ${why}. Allow the microphone for this page, or attach an audio file.`);
    } finally {
      button.disabled = false;
      button.focus();
    }
  };
  // the buttons that add something are one stop of the Tab key, and arrow keys go along them
  const adding = [find(root, '.attach', HTMLButtonElement), button];
  find(root, '.add', HTMLElement).onkeydown = ({ key }) => {
    const to = { ArrowLeft: 0, ArrowRight: 1 }[key];
    if (to === undefined) return;
    for (const [at, one] of adding.entries()) one.tabIndex = at === to ? 0 : -1;
    adding[to]?.focus();
  };
  mark(false);
}
