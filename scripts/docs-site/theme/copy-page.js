import { useData, withBase } from 'vitepress'
import { h, ref } from 'vue'

const LABEL = 'Copy page as Markdown'

/** Each page has its Markdown beside it: `testing.md` beside `testing.html`. */
export const CopyPage = {
  setup() {
    const { page } = useData()
    const label = ref(LABEL)
    const addressOf = () => withBase(`/${page.value.relativePath}`)
    async function copy() {
      try {
        const response = await fetch(addressOf())
        if (!response.ok) throw new Error(`status ${response.status}`)
        await navigator.clipboard.writeText(await response.text())
        label.value = 'Copied'
      } catch (error) {
        label.value = `Not copied: ${error.message}`
      }
      setTimeout(() => (label.value = LABEL), 2000)
    }
    // Lists of the files of a folder are made for the site alone.
    return () =>
      !page.value.relativePath.startsWith('files/') &&
      h('div', { class: 'copy-page' }, [
        h('button', { type: 'button', onClick: copy }, label.value),
        h('a', { href: addressOf(), target: '_blank', rel: 'noopener' }, 'View as Markdown'),
      ])
  },
}
