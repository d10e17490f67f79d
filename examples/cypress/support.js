// Import this file in cypress/support/e2e.js. Set the address of a running stand-in: npx cypress run --env STANDIN_URL=http://127.0.0.1:4010
const url = Cypress.env('STANDIN_URL')

/** Calls the control API for the sandbox of this test: cy.standin('POST', 'clock/advance', { by: 'P14D' }) */
Cypress.Commands.add('standin', (method, path, body) =>
  cy
    .request({ method, url: `${url}/__mock/${path}`, body, headers: { 'X-Mock-Sandbox': Cypress.env('sandbox') } })
    .its('body'),
)

beforeEach(() => {
  const sandbox = `cypress-${Date.now()}`
  Cypress.env('sandbox', sandbox)
  cy.standin('POST', 'sandboxes', { name: sandbox })
  // Every request of the page to the stand-in goes to the sandbox of this test.
  cy.intercept(`${url}/api/**`, (request) => {
    request.headers['x-mock-sandbox'] = sandbox
  })
})

afterEach(function () {
  // A server with --artifacts keeps what a failed test did.
  const query = this.currentTest.state === 'failed' ? '?artifacts=true' : ''
  cy.standin('DELETE', `sandboxes/${Cypress.env('sandbox')}${query}`)
})
