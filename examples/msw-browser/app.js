import { standin, worker } from './mocks.js'

await worker.start()
// For the console: `standin.control.advanceClock({ by: 'P1D' })`.
window.standin = standin

// From here on it is the app, which knows nothing of the mocks.
const API = 'https://api.example.com'
const [form, list, status, more] = ['form', 'ul', '[role=status]', '#more'].map((one) => document.querySelector(one))
let page = 1

async function show() {
  status.textContent = 'Loading'
  const query = new URLSearchParams({ q: form.q.value, page, perPage: 4, sort: 'name' })
  try {
    const response = await fetch(`${API}/customers?${query}`)
    if (!response.ok) throw new Error(`The list failed with ${response.status}.`)
    const { data, total } = await response.json()
    list.append(...data.map(itemOf))
    status.textContent = `${list.children.length} of ${total} customers`
    more.hidden = list.children.length >= total
  } catch (error) {
    status.textContent = error.message
  }
}

function itemOf({ id, name, city }) {
  const item = document.createElement('li')
  const input = Object.assign(document.createElement('input'), { value: city ?? '', ariaLabel: `City of ${name}` })
  input.onchange = () =>
    fetch(`${API}/customers/${id}`, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ city: input.value }),
    }).then(({ status: code }) => (status.textContent = `Saved with ${code}`))
  item.append(`${name} `, input)
  return item
}

function search(event) {
  event?.preventDefault()
  list.replaceChildren()
  page = 1
  return show()
}

form.onsubmit = search
more.onclick = () => {
  page += 1
  return show()
}
await search()
