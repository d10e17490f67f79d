/** VitePress's theme, with a button to copy a page as Markdown. */
import DefaultTheme from 'vitepress/theme'
import { h } from 'vue'
import { CopyPage } from './copy-page.js'
import './style.css'

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'doc-before': () => h(CopyPage) }),
}
