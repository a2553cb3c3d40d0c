// The icons: lines on a square of 16, drawn in the colour of the text.
// @ts-check
import { html } from './html.js';

/** @type {Readonly<Record<string, string>>} */
const paths = {
  now: 'M2 9h3l2-6 3 10 2-4h2',
  conversations: 'M2.5 3.5h11v7h-6l-3 2.5v-2.5h-2z',
  runs: 'M5 3.5v9l7-4.5z',
  memory:
    'M3 4c0-1 2.2-1.8 5-1.8S13 3 13 4s-2.2 1.8-5 1.8S3 5 3 4zm0 0v8c0 1 2.2 1.8 5 1.8s5-.8 5-1.8V4M3 8c0 1 2.2 1.8 5 1.8S13 9 13 8',
  work: 'M2.500 3h3v10h-3zm4-0h3v6h-3zm4 0h3v8h-3z',
  people:
    'M6 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zm-4.5 6c.3-2.6 2-4 4.5-4s4.200 1.400 4.500 4M11 3a2.300 2.300 0 0 1 0 4.300M12 9.700c1.500.5 2.300 1.800 2.500 3.800',
  agents: 'M4 6h8v6H4zM8 6V3M6.500 8.500v1m3-1v1M2 8v2m12-2v2',
  settings: 'M2 4.500h7m3 0h2M2 11.500h2m3 0h7M10.500 3v3M5.500 10v3',
  try: 'M3 3h10v7H3zM6 13h4',
  search: 'M7 11.500a4.500 4.500 0 1 0 0-9 4.500 4.500 0 0 0 0 9zm3.300-1.200L14 14',
  warning: 'M8 2.500l6 11H2zM8 7v3m0 1.500v.5',
  inbox: 'M2.500 9l2-6h7l2 6v4h-11zM2.500 9h3.200l.8 1.500h3L10.300 9h3.200',
  sun: 'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8 1.500v1.500m0 10v1.500M1.500 8H3m10 0h1.500M3.400 3.400l1 1m7.200 7.200l1 1m0-9.200l-1 1m-7.200 7.200l-1 1',
  moon: 'M13 9.500A5.500 5.500 0 0 1 6.500 3a5.500 5.500 0 1 0 6.500 6.500z',
  stop: 'M4.500 4.500h7v7h-7z',
  retry: 'M13 8a5 5 0 1 1-1.500-3.500M12 2v3H9',
  branch:
    'M5 3v10M5 9c4 0 6-1 6-4M5 4.500A1.500 1.500 0 1 0 5 1.500a1.500 1.500 0 0 0 0 3zm0 10a1.500 1.500 0 1 0 0-3 1.500 1.500 0 0 0 0 3zm6-9a1.500 1.500 0 1 0 0-3 1.500 1.500 0 0 0 0 3z',
  archive: 'M2.500 3h11v3h-11zM3.500 6v7h9V6M6.500 9h3',
  edit: 'M3 13l.6-2.800L11 2.800l2.200 2.200-7.400 7.400z',
  download: 'M8 2.500v7.500m-3-3l3 3 3-3M3 13.500h10',
  trash: 'M3 4.500h10M6.500 4.500v-2h3v2M4.500 4.500l.5 9h6l.5-9',
  tool: 'M9.500 6.500l-6 6 1.500 1.500 6-6M9 3.500a3 3 0 0 1 4-1l-2 2 1 1.500 2-1.500a3 3 0 0 1-4 3.500',
  file: 'M4 2h5l3 3v9H4zM9 2v3h3',
  back: 'M10 3L5 8l5 5',
  menu: 'M2.500 4.500h11m-11 3.500h11m-11 3.500h11',
  check: 'M3 8.500l3.500 3.500L13 4.500',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zm0-9v3.500l2.500 1.500',
  out: 'M6 3H3v10h3M7 8h7m-3-3l3 3-3 3',
};

/** @param {{ name: string }} props */
export function Icon({ name }) {
  return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d=${paths[name] ?? paths.inbox} /></svg>`;
}
