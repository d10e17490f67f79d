/** The colours, radius and font of the console, of the API docs, and of pages without script. Every colour is a `light-dark()` pair. */
export const DESIGN_TOKENS = `
:root {
  color-scheme: light dark;
  --background: light-dark(#f7f7f9, #131418);
  --surface: light-dark(#ffffff, #1b1d23);
  --raised: light-dark(#ffffff, #23262e);
  --line: light-dark(#dfe1e8, #33363f);
  --text: light-dark(#1a1c22, #e9eaef);
  --quiet: light-dark(#5b6070, #a2a7b5);
  --accent: light-dark(#4338ca, #a5a8ff);
  --accent-soft: light-dark(#eef0ff, #2a2c4d);
  --on-accent: light-dark(#ffffff, #14152b);
  --good: light-dark(#166534, #6ee7a0);
  --good-soft: light-dark(#e3f6e9, #16301f);
  --warn: light-dark(#92400e, #fbbf6b);
  --warn-soft: light-dark(#fdf2dc, #36280f);
  --bad: light-dark(#b42318, #ff9c91);
  --bad-soft: light-dark(#fdeceb, #3b1a18);
  --mono: ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace;
  --radius: 8px;
  font: 14px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif;
}
`
