import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { MessagePort } from 'node:worker_threads'
import { connectClient } from '../../../src/shared/connect-client.ts'
import { contract, type HostClient } from '../../../src/shared/contract/index.ts'
import { overWorkerPort } from '../../../testing/host/over-worker-port.ts'
import * as shim from '../../../testing/host/electron-shim.ts'
import { fromBuilder, type Asar } from '../builder.ts'
import { readArchive } from './read-archives.ts'

// The first start of the packaged application, without Electron: its code runs from the archive, on the shim.
// Arguments: the archive and a home folder.
const [archive, home] = process.argv.slice(2) as [string, string]
const page = 'app://bundle/index.html'
const engines: string[] = []

readArchive(archive, fromBuilder('@electron/asar') as Asar, {
  electron: new URL('../../../testing/host/electron-shim.ts', import.meta.url).href,
})
Object.assign(process, { resourcesPath: dirname(archive), argv: [process.execPath, '--home', home] })
Object.assign(shim.utilityProcess, { fork: forkUtilityProcess })

const source = await serveUpdates()
await import(pathToFileURL(join(archive, 'out/main/index.js')).href)
shim.becomeReady()
const window = await until(() => shim.BrowserWindow.all.find(each => each.url !== ''))
assert.equal(window.url, page)
await checkPage()
await checkLimits()
const client = connectHost()
await checkChat(client)
await checkUpdates(client)
const ended = once(shim.app, 'exited')
shim.app.quit()
await ended
assert.equal(shim.state.exitCode, 0)
process.exit(0)

/**
 * Check that the window's files come from the archive, each with the content security policy, and that
 * nothing else does.
 */
async function checkPage(): Promise<void> {
  const get = (url: string) => shim.state.schemeHandlers.get('app')!(new Request(url))
  const html = await (await get(page)).text()
  const files = [...html.matchAll(/(?:src|href)="\.?\/?([^"]+\.(?:js|css))"/g)].map(match => match[1])
  assert.ok(files.length > 1, 'index.html names its scripts and styles')
  for (const file of ['index.html', ...files]) {
    const answer = await get(`app://bundle/${file}`)
    assert.equal(answer.status, 200, `${file} is served`)
    assert.match(answer.headers.get('content-security-policy') ?? '', /default-src 'none'/)
  }
  for (const outside of ['..%2fmain/index.js', '../package.json', 'missing.js'])
    assert.equal((await get(`app://bundle/${outside}`)).status, 404, `${outside} is not served`)
}

/** Check that the built code leaves no page, opens no window and grants no permission. */
async function checkLimits(): Promise<void> {
  const stopped = (event: string, url: string) => {
    let prevented = false
    window.webContents.emit(event, { url, preventDefault: () => (prevented = true) })
    return prevented
  }
  assert.ok(stopped('will-frame-navigate', 'https://example.com/'))
  assert.ok(!stopped('will-frame-navigate', `${page}#/chat/1`))
  assert.ok(stopped('will-attach-webview', ''))
  assert.equal(window.webContents.openHandler({ url: 'file:///etc/passwd' }).action, 'deny')
  const details = { requestingUrl: page, isMainFrame: true }
  for (const permission of ['media', 'geolocation', 'notifications', 'clipboard-read']) {
    assert.equal(shim.permissions.check(null, permission, '', details), false, permission)
    let allowed: boolean | undefined
    shim.permissions.ask(null, permission, reply => (allowed = reply), details)
    assert.equal(allowed, false, permission)
  }
  assert.equal(shim.state.sandboxed, true)
  const { webPreferences } = window.options
  assert.deepEqual(
    Object.entries(webPreferences ?? {}).filter(([name]) =>
      ['sandbox', 'contextIsolation', 'nodeIntegration'].includes(name),
    ),
    Object.entries({ sandbox: true, contextIsolation: true, nodeIntegration: false }),
  )
}

/** Ask for a port as the page does, and connect to the host through it. */
function connectHost(): HostClient {
  let port: MessagePort | undefined
  const postMessage = (_name: string, _data: null, ports: { port: MessagePort }[]) => (port = ports[0]!.port)
  shim.ipcMain.emit('host-port', { senderFrame: { url: page, parent: null, postMessage } })
  assert.ok(port, 'our page gets a port')
  return connectClient(contract, overWorkerPort(port))
}

/** Check that the built-in model answers, in an engine that runs from beside the archive. */
async function checkChat(client: HostClient): Promise<void> {
  assert.equal((await greet(client)).hosting, 'desktop')
  const session = await client['session.create']({})
  const { runId } = await client['chat.send']({ sessionId: session.id, text: 'Hello. What can you do?' })
  let text = ''
  for await (const event of client['run.watch']({ runId })) {
    if (event.type === 'text_delta') text += event.text
    if (event.type === 'error') assert.fail(`${event.text} ${event.fix}`)
    if (event.type === 'turn_end') assert.equal(event.reason, 'done')
  }
  assert.notEqual(text.trim(), '', 'the model wrote nothing')
  // An engine that cannot run in its own process runs inside the host and answers too, so the answer alone
  // proves nothing.
  assert.equal((await greet(client)).engine.hosting, 'process')
  for (const script of engines)
    assert.equal(script, join(`${archive}.unpacked`, 'out/main/engine-process.js'))
  console.log(`  the built-in model answered: ${text.trim().split('\n')[0]}`)
}

/** A source of updates on this computer, named in the package as electron-builder would name it. */
async function serveUpdates(): Promise<string> {
  const list = { version: '99.0.0', files: [{ url: 'new.AppImage', sha512: 'x', size: 7 }] }
  const server = createServer((_request, response) => response.end(JSON.stringify(list)))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  writeFileSync(join(dirname(archive), 'app-update.yml'), `provider: generic\nurl: http://${host}/\n`)
  // electron-updater works only in an AppImage that says where it is.
  process.env['APPIMAGE'] = join(home, 'Talaria.AppImage')
  return host
}

/** Check that the bundled electron-updater finds a newer version, and that its request is in the ledger. */
async function checkUpdates(client: HostClient): Promise<void> {
  assert.deepEqual((await client['updates.read']({})).state, { phase: 'idle' })
  await client['updates.check']({})
  const state = await until(async () => {
    const { state } = await client['updates.read']({})
    return state.phase === 'checking' ? undefined : state
  })
  assert.deepEqual(state, { phase: 'available', version: '99.0.0', sizeBytes: 7 })
  const { entries } = await client['network.list']({})
  assert.deepEqual(
    entries.map(({ host, purpose, state }) => [host, purpose, state]),
    [[source, 'update', 'done']],
  )
}

async function greet(client: HostClient) {
  const { value } = await client['app.watch']({}).next()
  assert.ok(value?.type === 'hello')
  return value
}

/** Start a real process instead of a utility process, with everything that such a process has and lacks. */
function forkUtilityProcess(script: string, args: string[], options: { env: NodeJS.ProcessEnv }) {
  engines.push(script)
  const preload = new URL('utility-process.ts', import.meta.url).href
  const child = fork(script, args, {
    env: options.env,
    execArgv: ['--import', preload],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const process = new EventEmitter()
  child.on('message', message => process.emit('message', message))
  child.on('exit', code => process.emit('exit', code ?? 0))
  return Object.assign(process, {
    pid: child.pid,
    stdout: null,
    stderr: null,
    postMessage: (message: unknown) => child.connected && child.send(message as object, () => undefined),
    kill: () => child.kill(),
  })
}

/** Call `find` at every turn of the event loop until it returns something, and return that. */
async function until<T>(find: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await find()
    if (found !== undefined) return found
    await new Promise(resolve => setTimeout(resolve, 5))
  }
}
