it('says so when the search fails', () => {
  cy.standin('POST', 'faults', { kind: 'status', status: 503, times: 1 })
  cy.visit('/')
  cy.contains('button', 'Find').click()
  cy.contains('Try again later')
  cy.standin('POST', 'journal/verify', { expectations: [{ match: { status: 503 }, exactly: 1 }] })
    .its('passed')
    .should('equal', true)
})
