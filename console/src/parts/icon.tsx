/** Drawn for the console on a grid of 24, as strokes. */
const PATHS = {
  alert: 'M12 4 2.8 19.5h18.4zM12 10v4.5M12 17h.01',
  arrow: 'M5 12h14M13 6l6 6-6 6',
  behaviours:
    'M4 8h8.5m5 0H20M4 16h2.5m5 0H20M12.5 8a2.5 2.5 0 1 0 5 0 2.5 2.5 0 1 0-5 0M6.5 16a2.5 2.5 0 1 0 5 0 2.5 2.5 0 1 0-5 0',
  checkpoint: 'M5.5 21V4m0 .5h12l-2.5 4 2.5 4h-12',
  chevron: 'm6 9 6 6 6-6',
  clock: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zm0 4V12l3 2',
  close: 'm6 6 12 12M18 6 6 18',
  code: 'm8.5 7-5 5 5 5m7-10 5 5-5 5',
  collections: 'M12 3.5 3.5 8l8.5 4.5L20.5 8zM3.5 12l8.5 4.5 8.5-4.5M3.5 16l8.5 4.5 8.5-4.5',
  copy: 'M9 9h11v11H9zm6 0V4H4v11h5',
  coverage: 'M12 3.5a8.5 8.5 0 1 0 8.5 8.5H12zm3.5 0a8.5 8.5 0 0 1 5 5h-5z',
  docs: 'M5 19V5.5a2 2 0 0 1 2-2h12v13H7.5A2.5 2.5 0 0 0 5 19a2 2 0 0 0 2 2h12v-4.5',
  done: 'm5 12.5 4.5 4.5L19 7.5',
  faults: 'M13 3 5 13.5h6L10 21l8.5-10.5h-6z',
  file: 'M6 3.5h8l4.5 4.5v12.5H6zm8 0V8h4.5',
  files:
    'M3.5 18V6.5A1.5 1.5 0 0 1 5 5h4.2l2 2.5H19A1.5 1.5 0 0 1 20.5 9v9a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 18z',
  fork: 'M7 4.5a2 2 0 1 0 0 4 2 2 0 0 0 0-4zm0 11a2 2 0 1 0 0 4 2 2 0 0 0 0-4zm10-11a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM7 8.5v7m10-7c0 4-10 2.5-10 7',
  history: 'M4 12a8 8 0 1 0 2.6-5.9L4 8.5M4 4v4.5h4.5M12 8v4.3l3 1.8',
  keyboard:
    'M3.5 7A1.5 1.5 0 0 1 5 5.5h14A1.5 1.5 0 0 1 20.5 7v10a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 17zM7 9.5h.01m3.49 0h.01m3.49 0h.01m3.49 0h.01M8 14.5h8',
  // A line that leaves its way, and a cross where it should have been noticed.
  mutations: 'M3.5 8.5h4c5 0 4 7 9 7H20m-3-3 3 3-3 3M14.5 5l5 5m0-5-5 5',
  outbox:
    'M3.5 7A1.5 1.5 0 0 1 5 5.5h14A1.5 1.5 0 0 1 20.5 7v10a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 17zm.5.5 8 6 8-6',
  plus: 'M12 5v14M5 12h14',
  remove: 'M4.5 7h15m-10 0V4.5h5V7m-8 0 .8 12.5h9.4L17.5 7M10 11v5m4-5v5',
  requests: 'M4 8h15m-4-4 4 4-4 4m5 4H5m4 4-4-4 4-4',
  reset: 'M4 12a8 8 0 1 0 2.6-5.9L4 8.5M4 4v4.5h4.5',
  sandboxes: 'M12 3.2l8 4.3v9l-8 4.3-8-4.3v-9zM4.3 7.7 12 12l7.7-4.3M12 12v8.5',
  schedules:
    'M4 6.5A1.5 1.5 0 0 1 5.5 5h13A1.5 1.5 0 0 1 20 6.5v12a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 18.5zM4 10h16M8.5 3v4m7-4v4',
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zm4.8 11.3L20 20',
  stubs: 'M4 5h16v10.5H9.5L5 19.5v-4H4zM8 8.7h8M8 11.8h5',
} as const

export type IconName = keyof typeof PATHS

/** A picture beside a text that says the same, so screen readers skip it. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}
