import { DESIGN_TOKENS } from './design-tokens.ts'

/** The style of the pages without script. */
export const PAGE_STYLE = `${DESIGN_TOKENS}
* { box-sizing: border-box; }
body { margin: 0; background: var(--background); color: var(--text); }
header { padding: 0.7rem 1.5rem; border-bottom: 1px solid var(--line); background: var(--surface); }
.brand { display: inline-flex; align-items: center; gap: 0.5rem; color: inherit; font-weight: 700; text-decoration: none; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem; }
h1 { margin: 0.5rem 0 0; font-size: 1.6rem; line-height: 1.25; overflow-wrap: anywhere; }
h2 { margin: 2rem 0 0.6rem; font-size: 1.05rem; }
p { margin: 0.4rem 0; }
a { color: var(--accent); }
code, pre { font-family: var(--mono); font-size: 0.86em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.quiet { color: var(--quiet); }
.links { display: grid; grid-template-columns: repeat(auto-fill, minmax(13.5rem, 1fr)); gap: 0.7rem; margin: 1.4rem 0 0; padding: 0; list-style: none; }
.links a { display: block; height: 100%; padding: 0.7rem 0.9rem; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); color: inherit; text-decoration: none; }
.links a:hover { border-color: var(--accent); }
.links strong { display: block; color: var(--accent); font-weight: 650; }
.inline { display: flex; flex-wrap: wrap; gap: 0.3rem 1.1rem; margin: 0; padding: 0; list-style: none; }
.operations { margin: 0; padding: 0; list-style: none; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); }
.operations > li + li { border-top: 1px solid var(--line); }
summary { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.2rem 0.8rem; padding: 0.55rem 0.9rem; cursor: pointer; }
summary::before { content: '›'; width: 0.6rem; color: var(--quiet); }
details[open] > summary::before { content: '⌄'; }
summary::-webkit-details-marker { display: none; }
summary:hover { background: var(--accent-soft); }
.method { min-width: 3.9rem; font: 700 0.8rem var(--mono); color: var(--accent); }
.path { font-family: var(--mono); font-size: 0.9em; overflow-wrap: anywhere; }
.kind { margin-left: auto; padding: 0 0.5rem; border-radius: 99px; background: var(--accent-soft); color: var(--accent); font-size: 0.8rem; }
.operation { padding: 0 0.9rem 0.9rem; }
.operation p { margin: 0 0 0.4rem; color: var(--quiet); }
pre { margin: 0; padding: 0.7rem 0.8rem; overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; background: var(--background); white-space: pre-wrap; overflow-wrap: anywhere; }
.copy { user-select: all; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.5rem 1.2rem; margin: 1.2rem 0; }
dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; }
@media (width <= 480px) {
  header { padding: 0.7rem 1rem; }
  main { padding: 1rem; }
  h1 { font-size: 1.35rem; }
  dl { grid-template-columns: minmax(0, 1fr); gap: 0 0; }
  dd { margin-bottom: 0.8rem; }
}
`
