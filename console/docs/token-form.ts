/** Asks for the token of the control API in place of the docs. */
export function askForToken(place: HTMLElement, use: (token: string) => void): void {
  const form = document.createElement('form')
  form.className = 'token'
  const label = document.createElement('label')
  label.textContent = 'Token of the control API (--control-token)'
  const input = document.createElement('input')
  input.type = 'password'
  input.autocomplete = 'off'
  input.required = true
  label.append(input)
  const button = document.createElement('button')
  button.textContent = 'Open'
  form.append(label, button)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    use(input.value)
  })
  place.replaceChildren(form)
  input.focus()
}
