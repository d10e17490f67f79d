/** The code under test: finds all files whose name contains a word, page by page, and repeats a page that failed once. */
export async function findFiles(url: string, key: string, word: string): Promise<string[]> {
  const headers = { 'X-SERVICE-Developer-Token': key, 'Content-Type': 'application/json' }
  const filters = [{ field: 'name', operator: 'LIKE', value: [word] }]
  const names: string[] = []
  let next = ''
  do {
    const address = `${url}/api/files/v1/filesets/demo/files/search?limit=3${next === '' ? '' : `&next=${next}`}`
    const init = { method: 'POST', headers, body: JSON.stringify(next === '' ? { filters } : {}) }
    let response = await fetch(address, init)
    if (response.status === 503) response = await fetch(address, init)
    if (!response.ok) throw new Error(`The search failed with ${response.status}.`)
    const page = (await response.json()) as { files: { name: string }[]; pageContext: { next?: string } }
    names.push(...page.files.map(({ name }) => name))
    next = page.pageContext.next ?? ''
  } while (next !== '')
  return names
}
