import { chromium } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { createStandin } from '../../src/index.ts'
import { writeContract } from '../support/contracts/small-contract.ts'

test('a browser shows generated images and videos, takes fonts, and reads a generated stream of events', async () => {
  const answered = (mediaType: string, schema: object) => ({
    get: { responses: { '200': { description: 'ok', content: { [mediaType]: { schema } } } } },
  })
  const types = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/svg+xml', 'video/mp4', 'video/webm']
  const fonts = ['font/woff2', 'font/woff', 'font/ttf']
  const event = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } }
  const contract = writeContract({
    openapi: '3.1.0',
    info: { title: 'Media', version: '1' },
    paths: {
      ...Object.fromEntries([...types, ...fonts].map((type) => [`/${type}`, answered(type, { type: 'string' })])),
      '/events': answered('text/event-stream', event),
    },
  })
  const standin = createStandin({ contract, port: 0 })
  const url = await standin.start()
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  onTestFinished(async () => {
    await browser.close()
    await standin.stop()
  })
  const page = await browser.newPage()
  await page.goto(`${url}/image/png`)
  const sizes = await page.evaluate<string[]>(`
    Promise.all(${JSON.stringify(types)}.map((type) => new Promise((resolve) => {
      const isVideo = type.startsWith('video')
      const element = document.createElement(isVideo ? 'video' : 'img')
      const width = () => isVideo ? element.videoWidth : element.naturalWidth
      element.addEventListener(isVideo ? 'loadeddata' : 'load', () => resolve(type + ' ' + width()))
      element.addEventListener('error', () => resolve(type + ' failed'))
      element.src = '/' + type
    })))`)
  expect(sizes).toEqual([
    ...['image/png 1', 'image/jpeg 1', 'image/gif 1', 'image/webp 1', 'image/svg+xml 16'],
    ...['video/mp4 16', 'video/webm 8'],
  ])
  const loaded = await page.evaluate<string[]>(`
    Promise.all(${JSON.stringify(fonts)}.map((type) =>
      new FontFace('Sample', 'url(/' + type + ')').load().then(({ status }) => status, String)))`)
  expect(loaded).toEqual(['loaded', 'loaded', 'loaded'])
  const events = await page.evaluate<unknown[]>(`
    new Promise((resolve) => {
      const got = []
      const source = new EventSource('/events')
      source.onmessage = ({ data }) => got.push(JSON.parse(data))
      source.onerror = () => { source.close(); resolve(got) }
    })`)
  expect(events).toEqual([1, 2, 3].map(() => ({ n: expect.any(Number) as number })))
})
