/** The colours, radius and font of the console, of the API docs, and of pages without script. Every colour is a `light-dark()` pair. */
export const DESIGN_TOKENS = `
:root {
  color-scheme: light dark;
  --background: light-dark(#f7f7f9, #101116);
  --surface: light-dark(#ffffff, #17191f);
  --raised: light-dark(#ffffff, #1f222a);
  --line: light-dark(#e2e3ea, #2c2f39);
  --text: light-dark(#191b22, #e8e9ef);
  --quiet: light-dark(#5b6070, #a2a7b5);
  --accent: light-dark(#4f39d6, #aaa5ff);
  --accent-soft: light-dark(#efedff, #27264a);
  --on-accent: light-dark(#ffffff, #14152b);
  --info: light-dark(#0b5cad, #7cc0ff);
  --info-soft: light-dark(#e4f0fd, #12283f);
  --good: light-dark(#166534, #6ee7a0);
  --good-soft: light-dark(#e3f6e9, #16301f);
  --warn: light-dark(#92400e, #fbbf6b);
  --warn-soft: light-dark(#fdf2dc, #36280f);
  --bad: light-dark(#b42318, #ff9c91);
  --bad-soft: light-dark(#fdeceb, #3b1a18);
  --mono: ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace;
  --radius: 7px;
  --shadow: 0 1px 2px rgb(10 10 30 / 6%), 0 12px 32px rgb(10 10 30 / 18%);
  font: 14px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif;
}
`
