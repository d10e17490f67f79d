/** The configuration of VitePress. The sidebar groups the pages by who reads them. */
const page = (text, link) => ({ text, link: `/${link}` })

export default {
  title: 'Standin',
  description: 'A stateful mock server for any OpenAPI contract',
  cleanUrls: false,
  lastUpdated: false,
  // What is in public/ is linked as a file, not as a page.
  ignoreDeadLinks: [/^\/files\//, '/llms.txt', /^http:\/\/127\.0\.0\.1/],
  // Braces in code are no template of Vue.
  markdown: {
    config(md) {
      const render = md.renderer.rules.code_inline
      md.renderer.rules.code_inline = (...given) => render(...given).replace('<code', '<code v-pre')
    },
  },
  vite: { logLevel: 'warn' },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [page('Testing', 'testing'), page('Reference', 'reference'), page('Changelog', 'changelog')],
    sidebar: [
      {
        text: 'Start',
        items: [
          page('Standin', ''),
          page('Coming from another mock server', 'migrating'),
          page('The console', 'console'),
        ],
      },
      {
        text: 'Use it',
        items: [
          page('Frontend development', 'frontend'),
          page('Testing', 'testing'),
          page('Continuous integration', 'ci'),
          page('Coding agents', 'agents'),
        ],
      },
      {
        text: 'Your own contract',
        items: [page('Collections', 'collections'), page('Your own contract', 'own-contract')],
      },
      {
        text: 'Subjects',
        items: [
          page('Operations and initial data', 'operations'),
          page('Time', 'time'),
          page('Failures', 'failures'),
          page('Behaviours', 'behaviours'),
          page('Large data', 'large-data'),
          page('Persistence, history, replay', 'persistence'),
        ],
      },
      {
        text: 'Look up',
        items: [
          page('Reference', 'reference'),
          page('Errors', 'errors'),
          page('Troubleshooting', 'troubleshooting'),
          page('Performance', 'performance'),
          page('All benchmark tables', 'performance-tables'),
          page('Limitations', 'limitations'),
        ],
      },
      {
        text: 'Work on it',
        items: [
          page('Contributing', 'contributing'),
          page('Adding an operation', 'adding-an-operation'),
          page('Adding a resource', 'adding-a-resource'),
          page('Adding a behaviour', 'adding-a-behaviour'),
          page('Adding a probe', 'adding-a-probe'),
          page('Adding a command', 'adding-a-command'),
        ],
      },
    ],
  },
}
