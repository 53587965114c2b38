import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseHTML } from 'linkedom'
import { expect, test, vi } from 'vitest'
import { hideInBrowser } from '../hide-in-browser.ts'
import type { SeenDocument } from '../page-nodes.ts'
import { findBrowser } from './find-browser.ts'

const there = (...paths: string[]) => ({ isProgram: (path: string) => paths.includes(path) })

test.each([
  ['linux', {}, '/usr/bin/chromium'],
  ['linux', { PATH: '/home/ann/bin:/usr/bin' }, '/home/ann/bin/google-chrome'],
  ['darwin', {}, '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge'],
  [
    'darwin',
    { HOME: '/Users/ann' },
    '/Users/ann/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ],
  [
    'win32',
    { PROGRAMFILES: 'C:\\Program Files' },
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  ],
  [
    'win32',
    { 'PROGRAMFILES(X86)': 'C:\\Program Files (x86)' },
    'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
  ],
] as const)('finds a browser on %s', (platform, env, path) => {
  expect(findBrowser({ platform, env, ...there(path) })).toBe(path)
})

test('a browser in a snap is the last choice', () => {
  const computer = { platform: 'linux' as const, env: { PATH: '/snap/bin' } }
  expect(findBrowser({ ...computer, ...there('/snap/bin/chromium', '/usr/bin/microsoft-edge') })).toBe(
    '/usr/bin/microsoft-edge',
  )
  expect(findBrowser({ ...computer, ...there('/snap/bin/chromium') })).toBe('/snap/bin/chromium')
  expect(findBrowser({ ...computer, ...there() })).toBeUndefined()
})

const HTML = `<!doctype html><html><head><title>T</title></head><body><form name="documentElement"><input name="getAttribute"></form>
<p>Seen by all.</p><p style="color:#aaa;font-size:10px">Small print.</p>
<div style="position:relative"><p>Covered order.</p><div style="position:absolute;inset:0;background:#fff">A note.</div></div>
<pre style="height:40px;overflow:auto">one\ntwo\nthree\nfour\nfive</pre><details><summary>More</summary>Folded.</details>
<script>document.body.textContent = ''</script></body></html>`
const parse = () => parseHTML(HTML).document as unknown as SeenDocument
const signal = new AbortController().signal

test('without a browser it says what to install, and the page is as it was', async () => {
  const document = parse()
  const before = document.documentElement?.outerHTML
  expect(await hideInBrowser(document, { signal, findBrowser: () => undefined })).toEqual({
    refused: expect.stringContaining('install Chromium'),
  })
  expect(document.documentElement?.outerHTML).toBe(before)
})

test('a program that is no browser is a refusal, and a stop is one', async () => {
  const failed = await hideInBrowser(parse(), { signal, findBrowser: () => process.execPath })
  expect(failed).toEqual({ refused: expect.stringContaining('could not show the page') })
  const stopped = await hideInBrowser(parse(), {
    signal: AbortSignal.abort(),
    findBrowser: () => process.execPath,
  })
  expect(stopped).toEqual({ refused: 'Stopped.' })
})

const installed = findBrowser({ platform: process.platform, env: process.env, isProgram: existsSync })
if (installed === undefined) console.log('Skipped: no browser is installed that could show a page.')

test.skipIf(installed === undefined)(
  'an installed browser knows what covers what',
  { timeout: 60_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'talaria-test-'))
    vi.stubEnv('TMPDIR', folder)
    const document = parse()
    const outcome = await hideInBrowser(document, { signal })
    vi.unstubAllEnvs()
    expect(outcome).toMatchObject({ hidden: ['Covered order.'], isTooBig: false })
    const left = document.documentElement?.textContent ?? ''
    for (const text of ['Seen by all.', 'Small print.', 'five', 'Folded.', 'A note.'])
      expect(left).toContain(text)
    expect(readdirSync(folder).filter(name => name.startsWith('talaria-seen-'))).toEqual([])
    rmSync(folder, { recursive: true })
  },
)
