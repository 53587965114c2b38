import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseHTML } from 'linkedom'
import { afterEach, expect, test } from 'vitest'
import { gone } from '../../../../../../testing/processes.ts'
import { hideInBrowser } from '../hide-in-browser.ts'
import type { SeenDocument } from '../page-nodes.ts'
import { makeBrowserFolder, removeBrowserFolder } from './browser-folder.ts'
import { findBrowser, findInstalledBrowser } from './find-browser.ts'
import { openEyes } from './see-in-browser.ts'

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
<div style="position:relative;height:60px"><p>Order under the rim of a note.</p>
<div style="position:absolute;inset:0;background:#fff"><p>Another note, which begins a little lower than what it covers.</p></div></div>
<pre style="height:40px;overflow:auto">one\ntwo\nthree\nfour\nfive</pre><details><summary>More</summary>Folded.</details>
<script>document.body.textContent = ''</script></body></html>`
const parse = () => parseHTML(HTML).document as unknown as SeenDocument
const signal = new AbortController().signal

const folders: string[] = []
const place = (program: string) => {
  const folder = makeBrowserFolder()
  folders.push(folder)
  return { program, folder }
}
afterEach(() => {
  for (const folder of folders.splice(0)) removeBrowserFolder(folder)
})

test('a program that is no browser is a refusal, and a stop is one; the styles are judged all the same', async () => {
  const eyes = openEyes(place(process.execPath))
  const failed = parse()
  expect(await hideInBrowser(failed, { signal, eyes })).toEqual({
    hidden: [],
    isTooBig: false,
    unlooked: expect.stringContaining('could not show the page'),
  })
  expect(failed.documentElement?.textContent).toContain('Covered order.')
  expect(failed.documentElement?.outerHTML).not.toContain('data-seen')
  expect(await hideInBrowser(parse(), { signal: AbortSignal.abort(), eyes })).toMatchObject({
    unlooked: 'Stopped.',
  })
})

test('a page of which nothing is left after its styles needs no browser', async () => {
  const { document } = parseHTML('<html><body><p hidden>An order.</p></body></html>')
  const eyes = openEyes({ program: '/nowhere', folder: '/nowhere' })
  expect(await hideInBrowser(document as unknown as SeenDocument, { signal, eyes })).toMatchObject({
    hidden: ['An order.'],
  })
})

const installed = findInstalledBrowser()
if (installed === undefined) console.log('Skipped: no browser is installed that could show a page.')
const testIfThere = test.skipIf(installed === undefined)

testIfThere('an installed browser knows what covers what', { timeout: 60_000 }, async () => {
  const eyes = openEyes(place(installed!))
  const document = parse()
  expect(await hideInBrowser(document, { signal, eyes })).toEqual({
    hidden: ['Covered order.', 'Order under the rim of a note.'],
    isTooBig: false,
  })
  const left = document.documentElement?.textContent ?? ''
  for (const text of ['Seen by all.', 'Small print.', 'five', 'Folded.', 'A note.', 'Another note'])
    expect(left).toContain(text)
  await eyes.close()
})

testIfThere('one browser shows page after page, and ends with its folder', { timeout: 60_000 }, async () => {
  const where = place(installed!)
  const eyes = openEyes(where)
  const pids = new Set<string>()
  for (const word of ['first', 'second', 'third']) {
    const { document } = parseHTML(
      `<!doctype html><html><body><p>${word} page.</p><div style="position:relative"><p>${word} order.</p><div style="position:absolute;inset:0;background:#fff"></div></div></body></html>`,
    )
    expect(await hideInBrowser(document as unknown as SeenDocument, { signal, eyes })).toMatchObject({
      hidden: [`${word} order.`],
    })
    expect(document.documentElement.textContent).toContain(`${word} page.`)
    pids.add(readFileSync(join(where.folder, 'pid'), 'utf8'))
  }
  expect(pids.size).toBe(1)
  const [pid] = pids
  // The code that ended the thread does this, since the thread can no longer close its browser.
  removeBrowserFolder(where.folder)
  await gone(Number(pid))
  expect(existsSync(where.folder)).toBe(false)
  await eyes.close()
})
