import type {
  CoverageBehaviour,
  CoverageCount,
  CoverageItem,
  CoverageOperation,
  CoverageReport,
  CoverageShare,
} from '../../../types/control-api.d.ts'
import { Html, html } from '../../app/pages/html.ts'
import { counted } from '../../base/errors/wording.ts'
import type { LimitCheck } from './check-limits.ts'
import { REPORT_STYLE } from './html-style.ts'
import { behavioursByBasis, beyondContract, type RenderedReport } from './renderers.ts'

/** A report as one page without scripts, which needs no other file. */
export function renderHtml({ report, checks }: RenderedReport): string {
  const beyond = beyondContract(report)
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Coverage of ${report.contract}: ${report.total.percent} %</title>
        ${new Html(`<style>${REPORT_STYLE}</style>`)}
      </head>
      <body>
        <main>
          <h1>Coverage of ${report.contract}</h1>
          <p class="quiet">
            ${counted(report.requests.toLocaleString('en'), 'request')} in
            ${counted(report.sandboxes.toLocaleString('en'), 'sandbox', 'sandboxes')}
          </p>
          ${renderTotal(report, checks)}
          <h2>By kind</h2>
          <ul class="kinds">
            ${report.kinds.map(renderKind)}
          </ul>
          <h2>Operations</h2>
          <ul class="operations">
            ${report.operations.map(renderOperation)}
          </ul>
          ${renderBehaviours(report)}
          <h2>Faults</h2>
          ${chips(report.faults, 'covered')}
          ${
            beyond.length === 0
              ? undefined
              : html`<h2>Not in the contract</h2>
                  ${chips(beyond, 'beyond')}`
          }
          <footer>
            What a request sent counts when the service accepted it; of a refused request only the status counts.
            Written by Standin.
          </footer>
        </main>
      </body>
    </html> `.text.replaceAll(/^ +(?=<)/gm, '')
}

function renderTotal({ total }: CoverageReport, checks: readonly LimitCheck[]): Html {
  return html`<div class="total ${levelOf(total)}">
      <strong class="level number">${total.percent.toFixed(1)} %</strong>
      <span class="quiet number">${total.covered} of ${total.total} covered</span>
      ${bar(total)}
    </div>
    <ul class="checks">
      ${checks.map(
        ({ passed, name, expected, received }) =>
          html`<li class="${passed ? 'passed' : 'failed'}">
            ${passed ? '✓' : '✗'} <strong>${name}</strong>: ${passed ? '' : 'expected '}${expected}, received
            ${received}
          </li>`,
      )}
    </ul>`
}

function levelOf({ percent }: CoverageShare): string {
  if (percent >= 80) return 'high'
  return percent >= 50 ? 'middle' : 'low'
}

function bar(share: CoverageShare): Html {
  return html`<span class="bar ${levelOf(share)}" aria-hidden="true"
    ><span style="width: ${share.percent}%"></span
  ></span>`
}

function renderKind(one: CoverageReport['kinds'][number]): Html {
  return html`<li class="${levelOf(one)}">
    <h3>${one.kind}</h3>
    <p>
      <span class="quiet number">${one.covered} of ${one.total}</span>
      <span class="level number">${one.percent.toFixed(1)} %</span>
    </p>
    ${bar(one)}
  </li>`
}

function renderOperation(operation: CoverageOperation): Html {
  const { operationId, method, path, requests, items, undocumented } = operation
  const kinds = [...Map.groupBy(items, ({ kind }) => kind)]
  return html`<li>
    <details>
      <summary>
        <span>
          <span class="method">${method}</span><strong>${operationId}</strong>
          <span class="path">${path}</span>
        </span>
        <span class="requests number quiet">${requests === 0 ? 'never requested' : counted(requests, 'request')}</span>
        ${bar(operation)}
        <span class="level number ${levelOf(operation)}">${operation.percent.toFixed(1)} %</span>
      </summary>
      <dl class="items">
        ${kinds.map(([kind, ofKind]) => renderItems(kind, ofKind))}
        ${
          undocumented.length === 0
            ? undefined
            : html`<dt>not in the contract</dt>
                <dd>${chips(undocumented, 'beyond')}</dd>`
        }
      </dl>
    </details>
  </li>`
}

function renderItems(kind: string, items: readonly CoverageItem[]): Html {
  return html`<dt>${kind}</dt>
    <dd>${chips(items, 'covered')}</dd>`
}

/** What was used says how often, so that it is not told by colour alone. */
function chips(counts: readonly CoverageCount[], className: string): Html {
  return html`<ul class="chips">
    ${counts.map(({ name, count }) =>
      count === 0 ? html`<li title="not covered">${name}</li>` : html`<li class="${className}">${name} ×${count}</li>`,
    )}
  </ul>`
}

function renderBehaviours(report: CoverageReport): Html {
  const bases = behavioursByBasis(report)
  return html`<h2>Behaviours that responses depended on</h2>
    ${bases.length === 0 ? html`<p class="quiet">None.</p>` : undefined}
    ${bases.map(
      ({ basis, behaviours }) =>
        html`<details class="basis">
          <summary>
            <strong>${basis}</strong>
            <span class="number">${behaviours.length}</span>
          </summary>
          <table>
            <thead>
              <tr>
                <th>Behaviour</th>
                <th class="question">Question</th>
                <th>Responses</th>
              </tr>
            </thead>
            <tbody>
              ${behaviours.map(renderBehaviour)}
            </tbody>
          </table>
        </details>`,
    )}`
}

function renderBehaviour({ id, question, count, operations }: CoverageBehaviour): Html {
  return html`<tr>
    <td><code>${id}</code></td>
    <td class="question">${question} <span class="quiet">${operations.join(', ')}</span></td>
    <td class="number">${count}</td>
  </tr>`
}
