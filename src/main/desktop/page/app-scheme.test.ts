import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { resetShim, state } from '../../../../testing/host/electron-shim.ts'
import { CSP } from '../../lib/csp.ts'
import { serveAppScheme } from './lock-down.ts'

const page = 'app://bundle/index.html'
const root = mkdtempSync(join(tmpdir(), 'shell-'))

beforeEach(resetShim)
afterAll(() => rmSync(root, { recursive: true }))

const get = (url: string, method = 'GET') => state.schemeHandlers.get('app')!(new Request(url, { method }))

function serveFolder() {
  const folder = join(root, 'renderer')
  mkdirSync(join(folder, 'assets'), { recursive: true })
  writeFileSync(join(root, 'secret.txt'), 'secret')
  writeFileSync(join(folder, 'index.html'), '<!doctype html>')
  writeFileSync(join(folder, 'assets/main.js'), 'export {}')
  serveAppScheme(folder)
}

test('the app scheme serves the built window with its content types and policy', async () => {
  serveFolder()
  const answers = await Promise.all([get(`${page}?a#b`), get('app://bundle/assets/main.js')])
  const facts = answers.map(({ status, headers }) => [
    status,
    headers.get('content-type'),
    headers.get('content-security-policy'),
    headers.get('x-content-type-options'),
  ])
  expect(facts).toEqual([
    [200, 'text/html; charset=utf-8', CSP, 'nosniff'],
    [200, 'text/javascript; charset=utf-8', CSP, 'nosniff'],
  ])
})

test.for([
  'app://bundle/..%2fsecret.txt',
  'app://bundle/%2e%2e/secret.txt',
  'app://bundle/%2e%2e%2fsecret.txt',
  'app://bundle/assets/..%2f..%2fsecret.txt',
  'app://bundle/..%5csecret.txt',
  'app://bundle//etc/passwd',
  'app://elsewhere/index.html',
  'app://bundle/missing.html',
  'app://bundle/assets',
  'app://bundle/index.html%00',
  'app://bundle/%E0%A4%A',
])('the app scheme finds nothing at %s', async url => {
  serveFolder()
  const { status, headers } = await get(url)
  expect([status, headers.get('content-security-policy')]).toEqual([404, CSP])
})

test('the app scheme finds nothing under a name that is invalid for the file system', async () => {
  serveFolder()
  expect((await get(`app://bundle/${'a'.repeat(5_000)}`)).status).toBe(404)
})

test('the app scheme answers only GET', async () => {
  serveFolder()
  expect((await get(page, 'POST')).status).toBe(404)
})

test('without its built files the window says that it could not be loaded', async () => {
  serveAppScheme(join(root, 'nothing'))
  const answer = await get(page)
  expect([answer.status, await answer.text()]).toEqual([
    200,
    expect.stringContaining('This window could not be loaded.'),
  ])
  expect((await get('app://bundle/assets/main.js')).status).toBe(404)
})

test.for([
  ['crashed', page, 'This window stopped working.', page],
  [
    'memory',
    `${page}#chat=1&page=memory`,
    'This window ran out of memory.',
    `${page}#chat=1&amp;page=memory`,
  ],
  ['load', 'https://example.com/', 'This window could not be loaded.', page],
  [
    '"><script>',
    'app://bundle/"><script>',
    'This window stopped working.',
    'app://bundle/&quot;>&lt;script>',
  ],
] as const)(
  'the page that stands in for one that is gone (%s) offers to reload %s',
  async ([why, lost, text, link]) => {
    serveFolder()
    const query = new URLSearchParams({ why, page: lost }).toString()
    const answer = await get(`app://bundle/stopped/index.html?${query}`)
    const body = await answer.text()
    expect([answer.status, answer.headers.get('content-security-policy')]).toEqual([200, CSP])
    expect(body).toContain(`<h1>${text}</h1>`)
    expect(body).not.toContain('<script')
    expect(body).toContain(`<a href="${link}">Reload</a>`)
  },
)

test('the stand-in brings its own style, and no script', async () => {
  serveFolder()
  const { headers, status } = await get('app://bundle/stopped/style.css')
  expect([status, headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8'])
})
