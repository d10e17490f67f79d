import { useData } from 'vitepress'
import { h, onMounted, ref } from 'vue'

/** The versions of these docs that are published: `versions.json` of the site lists them, so the docs of an old version know the new ones. */
export const VersionMenu = {
  setup() {
    const { page, theme } = useData()
    const { own, isReleased, root } = theme.value.versions
    const versions = ref([own])
    onMounted(async () => {
      // Where it cannot be read, this version is the only one that is known.
      const published = await fetch(`${root}versions.json`).then(
        (response) => (response.ok ? response.json() : []),
        () => [],
      )
      versions.value = [...new Set([...(published.includes(own) ? [] : [own]), ...published])]
    })
    async function open({ target }) {
      const [newest] = versions.value
      const home = root + (target.value === newest ? '' : `${target.value}/`)
      const same = home + page.value.relativePath.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '.html')
      // Another version may lack this page.
      const isThere = await fetch(same, { method: 'HEAD' }).then(
        ({ ok }) => ok,
        () => false,
      )
      location.assign(isThere ? same : home)
    }
    const labelOf = (version) => `v${version}${version === own && !isReleased ? ' (unreleased)' : ''}`
    const option = (version) => h('option', { value: version, selected: version === own }, labelOf(version))
    return () =>
      h('select', { class: 'version-menu', 'aria-label': 'Version', onChange: open }, versions.value.map(option))
  },
}
