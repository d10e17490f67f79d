/** The code under test: a list of files, as HTML, from an API whose address is built in. */
export async function renderFileList(word: string): Promise<string> {
  try {
    const response = await fetch('https://api.example.com/api/files/v1/filesets/demo/files/search', {
      method: 'POST',
      headers: { 'X-SERVICE-Developer-Token': 'any', 'Content-Type': 'application/json' },
      body: JSON.stringify({ filters: [{ field: 'name', operator: 'LIKE', value: [word] }] }),
    })
    const { files } = (await response.json()) as { files: { name: string }[] }
    const items = files.map(({ name }) => `<li>${name}</li>`).join('')
    return `<h2>${files.length} files</h2><ul>${items}</ul>`
  } catch {
    return '<p role="alert">The files cannot be loaded.</p>'
  }
}
