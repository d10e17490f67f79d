import { DESIGN_TOKENS } from '../../app/pages/design-tokens.ts'

/** The style of the report, with the colours of the console. */
export const REPORT_STYLE = `${DESIGN_TOKENS}
* { box-sizing: border-box; }
body { margin: 0; background: var(--background); color: var(--text); }
main { max-width: 68rem; margin: 0 auto; padding: 1.5rem; }
h1 { margin: 0; font-size: 1.5rem; line-height: 1.25; overflow-wrap: anywhere; }
h2 { margin: 2.2rem 0 0.7rem; font-size: 1.05rem; }
h3 { margin: 0; font-size: 0.9rem; font-weight: 600; }
p { margin: 0.4rem 0; }
code { font-family: var(--mono); font-size: 0.88em; overflow-wrap: anywhere; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.quiet { color: var(--quiet); }
.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
.total { display: flex; flex-wrap: wrap; align-items: center; gap: 0.4rem 1.4rem; margin-top: 1.2rem; padding: 1rem 1.2rem; border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); }
.total strong { font-size: 2.4rem; line-height: 1.1; letter-spacing: -0.02em; }
.total .bar { flex: 1 1 12rem; height: 0.7rem; }
.bar { display: block; height: 0.4rem; overflow: hidden; border-radius: 99px; background: var(--line); }
.bar > span { display: block; height: 100%; border-radius: 99px; background: var(--level); }
.high { --level: var(--good); }
.middle { --level: var(--warn); }
.middle .bar > span, .middle.bar > span { background: light-dark(#d97706, #fbbf6b); }
.low { --level: var(--bad); }
.level { color: var(--level); }
.checks { display: grid; gap: 0.4rem; margin: 0.8rem 0 0; padding: 0; list-style: none; }
.checks li { padding: 0.45rem 0.8rem; border-radius: var(--radius); overflow-wrap: anywhere; }
.passed { background: var(--good-soft); color: var(--good); }
.failed { background: var(--bad-soft); color: var(--bad); }
.kinds { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: 0.7rem; margin: 0; padding: 0; list-style: none; }
.kinds li { padding: 0.65rem 0.9rem 0.8rem; border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); }
.kinds p { display: flex; justify-content: space-between; gap: 0.6rem; margin: 0.15rem 0 0.4rem; }
.operations { margin: 0; padding: 0; list-style: none; border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); }
.operations > li + li { border-top: 1px solid var(--line); }
summary { display: grid; grid-template-columns: 0.7rem minmax(0, 1fr) 8rem 7rem 4.2rem; align-items: center; gap: 0.2rem 0.8rem; padding: 0.6rem 0.9rem; cursor: pointer; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary::before { content: '›'; color: var(--quiet); }
details[open] > summary::before { content: '⌄'; }
summary:hover { background: var(--accent-soft); }
summary .number { text-align: right; }
.method { margin-right: 0.4rem; font: 700 0.8rem var(--mono); color: var(--accent); }
.path { display: block; font-family: var(--mono); font-size: 0.82rem; color: var(--quiet); overflow-wrap: anywhere; }
.items { display: grid; grid-template-columns: 9rem minmax(0, 1fr); gap: 0.7rem 1rem; margin: 0; padding: 0.4rem 0.9rem 1rem 2.4rem; }
.items dt { padding-top: 0.15rem; color: var(--quiet); }
.items dd { margin: 0; }
.chips { display: flex; flex-wrap: wrap; gap: 0.35rem; margin: 0; padding: 0; list-style: none; }
.chips li { max-width: 100%; padding: 0.08rem 0.55rem; border: 1px dashed var(--line); border-radius: 99px; font: 0.8rem/1.5 var(--mono); color: var(--quiet); overflow-wrap: anywhere; }
.chips .covered { border: 1px solid transparent; background: var(--good-soft); color: var(--good); }
.chips .beyond { border: 1px solid transparent; background: var(--warn-soft); color: var(--warn); }
.basis { margin-top: 0.7rem; border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); }
.basis > summary { grid-template-columns: 0.7rem minmax(0, 1fr) auto; }
table { width: 100%; border-collapse: collapse; }
th { font-weight: 600; text-align: left; color: var(--quiet); }
th, td { padding: 0.35rem 0.9rem; border-top: 1px solid var(--line); vertical-align: top; }
td:last-child, th:last-child { text-align: right; }
footer { margin-top: 2.5rem; color: var(--quiet); font-size: 0.85rem; }
@media (width <= 640px) {
  main { padding: 1rem; }
  h1 { font-size: 1.25rem; }
  .kinds { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .kinds p { flex-direction: column; gap: 0; }
  summary { grid-template-columns: 0.7rem minmax(0, 1fr) 4.2rem; }
  summary .requests, summary .bar { grid-column: 2; text-align: left; }
  summary .bar { grid-column: 2 / -1; }
  summary .requests { order: 1; }
  summary .bar { order: 2; }
  .items { grid-template-columns: minmax(0, 1fr); gap: 0.2rem; padding-left: 0.9rem; }
  .items dd { margin-bottom: 0.6rem; }
  tr { display: grid; grid-template-columns: minmax(0, 1fr) auto; border-top: 1px solid var(--line); }
  th, td { border: 0; }
  th.question { display: none; }
  td.question { grid-column: 1 / -1; order: 1; padding-top: 0; }
}
@media print { details:not([open]) > * { display: revert; } summary::before { content: none; } }
`
