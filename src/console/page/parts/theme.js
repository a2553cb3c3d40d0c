// Dark and light: as the system says, or as the reader chose on this device.
// @ts-check
import { computed, signal } from '@preact/signals';

const stored = 'parley-theme';
const system = matchMedia('(prefers-color-scheme: dark)');
const systemDark = signal(system.matches);
system.addEventListener('change', ({ matches }) => {
  systemDark.value = matches;
});

/** @type {import('@preact/signals').Signal<string | null>} */
const chosen = signal(localStorage.getItem(stored));

/** True while the page is dark. */
export const dark = computed(() => (chosen.value === null ? systemDark.value : chosen.value === 'dark'));

/** Chooses the other theme; the choice is stored on this device. */
export function switchTheme() {
  chosen.value = dark.value ? 'light' : 'dark';
  localStorage.setItem(stored, chosen.value);
  applyTheme();
}

export function applyTheme() {
  if (chosen.value === null) delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen.value;
}
