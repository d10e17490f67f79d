import { defineConfig } from '@playwright/test'

const { PORT = '5173', CHROMIUM } = process.env

export default defineConfig({
  webServer: { command: 'node serve.js', env: { PORT }, url: `http://127.0.0.1:${PORT}` },
  use: {
    baseURL: `http://127.0.0.1:${PORT}`,
    // For a machine with a Chromium of its own: CHROMIUM=/usr/bin/chromium npx playwright test.
    ...(CHROMIUM === undefined ? {} : { launchOptions: { executablePath: CHROMIUM, args: ['--no-sandbox'] } }),
  },
})
