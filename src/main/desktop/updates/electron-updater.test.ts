import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { registerHooks } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import * as shim from '../../../../testing/host/electron-shim.ts'
import { until } from '../../../../testing/until.ts'
import type { RequestGate } from '../../updates/updater.ts'
import { OfflineError } from '../../lib/network/offline.ts'
import { openUpdater } from './electron-updater.ts'

// electron-updater requires `electron` through Node, so it needs another way to the same shim.
const shared = 'talaria:electron-shim'
Object.assign(globalThis, { [shared]: shim })
const hooks = registerHooks({
  resolve: (name, context, next) =>
    name === 'electron' ? { url: shared, shortCircuit: true } : next(name, context),
  load: (url, context, next) =>
    url === shared
      ? { format: 'commonjs', source: `module.exports = globalThis['${shared}']`, shortCircuit: true }
      : next(url, context),
})
afterAll(() => hooks.deregister())

const cleanups: (() => unknown)[] = []
let folder: string
beforeEach(() => {
  shim.resetShim()
  shim.becomeReady()
  folder = mkdtempSync(join(tmpdir(), 'updates-'))
  cleanups.push(() => rmSync(folder, { recursive: true }))
  shim.app.setPath('userData', folder)
  Object.assign(process, { resourcesPath: folder })
  const { APPIMAGE, XDG_CACHE_HOME } = process.env
  cleanups.push(() => {
    delete (process as { resourcesPath?: string }).resourcesPath
    for (const [name, value] of Object.entries({ APPIMAGE, XDG_CACHE_HOME }))
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
  })
  process.env['APPIMAGE'] = join(folder, 'talaria.AppImage')
  process.env['XDG_CACHE_HOME'] = join(folder, 'cache')
  writeFileSync(process.env['APPIMAGE'], 'the old version')
})
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

/** A newer version, which writes a file when it is started. */
const program = '#!/bin/sh\necho started > "$0.started"\n'

type Answer = { version?: string; content?: string; announced?: string; status?: number }

/** A local update source, and the requests it got. */
async function aSource({
  version = '0.2.0',
  content = program,
  announced = content,
  status = 200,
}: Answer = {}) {
  const asked: { path: string; headers: IncomingHttpHeaders }[] = []
  const sha512 = createHash('sha512').update(announced).digest('base64')
  const list = JSON.stringify({
    version,
    files: [{ url: 'new.AppImage', sha512, size: announced.length }],
    path: 'new.AppImage',
    sha512,
    releaseDate: '2026-11-01T00:00:00.000Z',
  })
  const server = createServer((request, response) => {
    const path = URL.parse(request.url ?? '', 'http://x')!.pathname
    asked.push({ path, headers: request.headers })
    response.statusCode = status
    response.end(path.endsWith('.yml') ? list : content)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const close = () => new Promise(resolve => server.close(resolve) && server.closeAllConnections())
  cleanups.push(close)
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { host, asked, close }
}

/** The file that electron-builder writes beside the archive. */
function writeConfiguration(text: string) {
  writeFileSync(join(folder, 'app-update.yml'), text)
}

/**
 * An updater of an application packaged with the address of `host`, and the requests that passed its gate.
 */
function open(host: string, isLocked = false) {
  writeConfiguration(`provider: generic\nurl: http://${host}/talaria\nupdaterCacheDirName: talaria-updater\n`)
  const ledger: [host: string, ok?: boolean][] = []
  const reports: unknown[] = []
  const gate: RequestGate = to => {
    if (isLocked) throw new OfflineError(to)
    const entry: [string, boolean?] = [to]
    ledger.push(entry)
    return { end: ok => void entry.push(ok) }
  }
  return { updater: openUpdater(gate, error => reports.push(error))!, ledger, reports }
}

const openAny = () =>
  openUpdater(
    () => ({ end() {} }),
    () => {},
  )

describe('a build without a source of updates', () => {
  test('has no updater without the file of electron-builder', () => {
    expect(openAny()).toBeUndefined()
  })

  test('has none outside a package', () => {
    writeConfiguration('provider: generic\nurl: https://example.org/\n')
    shim.app.isPackaged = false
    expect(openAny()).toBeUndefined()
  })

  test.each([
    'provider: generic\nurl: http://example.org/\n',
    'provider: github\nowner: ada\nrepo: talaria\n',
    'not a source',
    '',
  ])('has none for %j', text => {
    writeConfiguration(text)
    expect(openAny()).toBeUndefined()
  })

  test('has one for an address that nobody on the way can change', () => {
    writeConfiguration('provider: generic\nurl: https://example.org/talaria\n')
    expect(openAny()?.source).toBe('example.org')
  })
})

describe.runIf(process.platform === 'linux')('the updater', () => {
  test('asks nothing until it is told to', async () => {
    const { host, asked } = await aSource()
    open(host)
    expect([asked, shim.state.partitions]).toEqual([[], []])
  })

  test('finds a newer version with one request, which is in the ledger and tells nothing of this copy', async () => {
    const { host, asked } = await aSource()
    const { updater, ledger } = open(host)
    expect(await updater.check()).toEqual({ version: '0.2.0', sizeBytes: program.length })
    expect(ledger).toEqual([[host, true]])
    expect(asked).toHaveLength(1)
    expect(asked[0]!.path).toMatch(/^\/talaria\/latest-linux.*\.yml$/)
    expect(Object.keys(asked[0]!.headers)).not.toContain('x-user-staging-id')
    expect(new Set(shim.state.partitions)).toEqual(new Set(['electron-updater']))
  })

  test.each(['0.1.0', '0.0.9'])('finds nothing when the source offers %s', async version => {
    const { host } = await aSource({ version })
    expect(await open(host).updater.check()).toBeUndefined()
  })

  test('sends nothing under the offline lock, and says so', async () => {
    const { host, asked } = await aSource()
    const { updater } = open(host, true)
    expect(await updater.check()).toEqual({
      refused: `The offline lock is on, so nothing was sent to ${host}.`,
      fix: 'Switch the offline lock off under Settings, Privacy and network.',
    })
    expect(asked).toEqual([])
  })

  test.each([
    [{ status: 404 }, 'The source of updates has no list of versions for this system.'],
    [{ status: 503 }, 'HOST answered with the error 503.'],
    [{ version: 'newest' }, 'The list of versions cannot be read.'],
  ])('says what is wrong with a source that answers %j', async (answer, text) => {
    const { host } = await aSource(answer)
    const outcome = await open(host).updater.check()
    expect(outcome).toEqual({ refused: text.replace('HOST', host) })
  })

  test('says that a source cannot be reached, and its request is in the ledger as failed', async () => {
    const { host, close } = await aSource()
    await close()
    const { updater, ledger } = open(host)
    expect(await updater.check()).toMatchObject({
      refused: `${host} could not be reached: it refused the connection.`,
    })
    expect(ledger).toEqual([[host, false]])
  })

  test('downloads what it found, and leaves the installed program alone', async () => {
    const { host } = await aSource()
    const { updater, reports } = open(host)
    await updater.check()
    expect(await updater.download(() => {})).toBeUndefined()
    expect([updater.finish(), reports]).toEqual([false, []])
    expect(readFileSync(process.env['APPIMAGE']!, 'utf8')).toBe('the old version')
  })

  test('throws a file away that is not the announced one', async () => {
    const { host } = await aSource({ announced: `${program}#` })
    const { updater } = open(host)
    await updater.check()
    expect(await updater.download(() => {})).toMatchObject({
      refused: 'The download does not match the announced version, so it was deleted.',
    })
  })

  test('ends the process when the new version cannot be put in its place', async () => {
    const { host } = await aSource()
    const { updater, reports } = open(host)
    await updater.check()
    await updater.download(() => {})
    shim.app.on('will-quit', event => event.preventDefault())
    updater.install()
    rmSync(process.env['APPIMAGE']!)
    expect([updater.finish(), shim.state.exitCode, reports.length]).toEqual([true, 1, 1])
  })

  test('installs only at the end of the application, with the lock of the first instance given back', async () => {
    const { host } = await aSource()
    const { updater, reports } = open(host)
    await updater.check()
    await updater.download(() => {})
    shim.app.on('will-quit', event => event.preventDefault())
    updater.install()
    const installed = process.env['APPIMAGE']!
    expect(readFileSync(installed, 'utf8')).toBe('the old version')
    expect([updater.finish(), shim.state.holdsLock, reports]).toEqual([true, false, []])
    await until(() => existsSync(`${installed}.started`))
    expect(readFileSync(installed, 'utf8')).toBe(program)
    expect(updater.finish()).toBe(false)
  })
})
