/** The configuration of VitePress. The sidebar groups the pages by what readers want: to learn, to do, to look up, to understand (Diátaxis). */
const page = (text, link) => ({ text, link: `/${link}` })

/** Where the site is published, such as `https://example.com/standin/`: social pictures and the sitemap need it. */
const url = process.env.DOCS_URL
const base = url === undefined ? '/' : new URL(url).pathname
/** Where all versions of it are: see `publish.ts`. */
const root = process.env.DOCS_ROOT === undefined ? base : new URL(process.env.DOCS_ROOT).pathname
const addressOf = (path) => (url === undefined ? base + path : new URL(path, url).href)

export default {
  title: 'Standin',
  description: 'A stateful mock server for any OpenAPI contract',
  base,
  cleanUrls: false,
  lastUpdated: false,
  ...(url === undefined ? {} : { sitemap: { hostname: url } }),
  // They are no pages; `check-links.ts` checks them in what was built.
  ignoreDeadLinks: [/^\/files\//, '/llms.txt', /^\/playground\//, /^http:\/\/127\.0\.0\.1/],
  head: [['link', { rel: 'icon', href: `${base}icon.svg`, type: 'image/svg+xml' }]],
  transformHead({ title, description, pageData }) {
    const of = (property, content) => ['meta', { property, content }]
    return [
      of('og:type', 'website'),
      of('og:site_name', 'Standin'),
      of('og:title', title),
      of('og:description', description),
      of('og:url', addressOf(pageData.relativePath.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '.html'))),
      of('og:image', addressOf('social.png')),
      of('og:image:width', '1200'),
      of('og:image:height', '630'),
      ['meta', { name: 'twitter:card', content: 'summary_large_image' }],
    ]
  },
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    // As GitHub names the anchors of headings, since the pages are read there too.
    anchor: {
      slugify: (heading) =>
        heading
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
          .replaceAll(' ', '-'),
    },
    // Braces in code are no template of Vue.
    config(md) {
      const render = md.renderer.rules.code_inline
      md.renderer.rules.code_inline = (...given) => render(...given).replace('<code', '<code v-pre')
    },
  },
  vite: { logLevel: 'warn' },
  themeConfig: {
    logo: '/icon.svg',
    search: {
      provider: 'local',
      // Pages come before what changed in them, and before why.
      options: {
        miniSearch: {
          searchOptions: { boostDocument: (id) => (/\/(?:changelog\.|decisions\/)/.test(id) ? 0.2 : 1) },
        },
      },
    },
    outline: [2, 3],
    nav: [
      page('Tutorial', 'tutorial'),
      { ...page('Playground', 'playground/'), target: '_self' },
      page('Reference', 'reference'),
      page('Changelog', 'changelog'),
      { component: 'VersionMenu' },
    ],
    // `build.ts` says which version this is.
    versions: { own: process.env.DOCS_VERSION, isReleased: process.env.DOCS_IS_RELEASED === 'true', root },
    sidebar: [
      {
        text: 'Tutorial',
        items: [
          page('Introduction', 'introduction'),
          page('From a contract to a test that survives', 'tutorial'),
          { ...page('Playground', 'playground/'), target: '_self' },
        ],
      },
      {
        text: 'How-to: test a client',
        items: [
          page('Testing', 'testing'),
          page('Failures', 'failures'),
          page('Time', 'time'),
          page('Mutation runs', 'mutate'),
          page('Continuous integration', 'ci'),
          page('Coding agents', 'agents'),
        ],
      },
      {
        text: 'How-to: serve a contract',
        items: [
          page('Collections', 'collections'),
          page('Your own contract', 'own-contract'),
          page('Stubs', 'stubs'),
          page('Webhooks', 'webhooks'),
          page('Streams', 'streams'),
          page('Partly real', 'partial'),
          page('Frontend development', 'frontend'),
          page('Large data', 'large-data'),
          page('Persistence, history, replay', 'persistence'),
          page('Replicas', 'replicas'),
          page('Coming from another mock server', 'migrating'),
          page('Troubleshooting', 'troubleshooting'),
        ],
      },
      {
        text: 'Reference',
        items: [
          page('Commands, settings, control API', 'reference'),
          page('The console', 'console'),
          page('Operations and initial data', 'operations'),
          page('Behaviours', 'behaviours'),
          page('Errors', 'errors'),
          page('Limitations', 'limitations'),
          page('Benchmarks, all tables', 'performance-tables'),
        ],
      },
      {
        text: 'Explanation',
        items: [
          page('Why, and why not', 'why'),
          page('The truth about a service', 'truth'),
          page('Fidelity', 'fidelity'),
          page('Performance', 'performance'),
          page('What you can rely on', 'trust'),
          page('Decisions', 'decisions/'),
        ],
      },
      {
        text: 'Work on Standin',
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
