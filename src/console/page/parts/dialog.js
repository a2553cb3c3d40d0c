// A question before something that cannot be undone: what it will do, how much of it, and one press.
// @ts-check
import { useEffect, useRef } from 'preact/hooks';
import { html } from './html.js';
import { Button } from './ui.js';

/**
 * @param {{ title: string, children?: unknown, action?: string, danger?: boolean, onDo?: () => unknown, onClose: () => void, wide?: boolean }} props
 */
export function Dialog({ title, children, action, danger, onDo, onClose, wide }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => {
    const shown = dialog.current;
    const before = document.activeElement;
    shown?.showModal();
    return () => {
      shown?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return html`<dialog ref=${dialog} class=${wide ? 'dialog wide' : 'dialog'} aria-label=${title} onCancel=${(
    /** @type {Event} */ event,
  ) => {
    event.preventDefault();
    onClose();
  }}>
    <h2>${title}</h2>
    <div class="dialog-body">${children}</div>
    <footer class="actions"><${Button} onPress=${onClose}>${onDo === undefined ? 'Close' : 'Cancel'}</${Button}>
      ${onDo !== undefined && html`<${Button} kind=${danger ? 'danger' : 'primary'} onPress=${onDo}>${action}</${Button}>`}
    </footer>
  </dialog>`;
}
