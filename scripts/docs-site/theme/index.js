/** VitePress's theme, with a button to copy a page as Markdown, and a menu of versions. */
import DefaultTheme from 'vitepress/theme'
import { h } from 'vue'
import { CopyPage } from './copy-page.js'
import { VersionMenu } from './version-menu.js'
import './style.css'

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => app.component('VersionMenu', VersionMenu),
  Layout: () => h(DefaultTheme.Layout, null, { 'doc-before': () => h(CopyPage) }),
}
