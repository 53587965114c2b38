import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openConfinement } from '../../src/main/confinement/open-confinement.ts'
import { commandConfinement } from '../../src/main/confinement/sandbox-setting.ts'
import { isRefusal } from '../../src/main/lib/expected-errors.ts'
import { openConnections } from '../../src/main/mcp/connections/open-connections.ts'
import { openLink, forkEngine } from '../../src/main/models/engines/local/process/start-engine.ts'
import { openProcesses } from '../../src/main/processes/open-processes.ts'
import { shellFor } from '../../src/main/commands/process-group.ts'
import { runCommand } from '../../src/main/commands/run-command.ts'
import { LocalMcpServer } from '../../src/shared/contract/connections/mcp.ts'
import { aFolderToConfine } from '../confinement/folder-to-confine.ts'

// Child processes that try to crash the host: background processes, commands, servers and an engine, really
// confined. Prints the result of each, and errors that escaped. Nothing they do affects anything outside
// their folders.

const WORK = { profile: 'work', network: false, obeyed: 'nothing' } as const
const base = aFolderToConfine()
const [home, folder] = [join(base, 'home'), join(base, 'chat')]
for (const each of [home, folder]) mkdirSync(each)
const commands = commandConfinement(openConfinement({ home, readable: () => [] }), {
  sandbox: () => 'on',
  isOffline: () => false,
})
const processes = openProcesses({ now: Date.now })

async function aFreePort(): Promise<number> {
  const free = createServer().listen(0, '127.0.0.1')
  await once(free, 'listening')
  const { port } = free.address() as AddressInfo
  free.close()
  return port
}

/** Connect to a port and disconnect. */
async function touch(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write('GET / HTTP/1.0\r\n\r\n')
  const timer = setTimeout(() => socket.destroy(), 200)
  await once(socket, 'close')
  clearTimeout(timer)
}

/** Run a background process that misuses the socket of its port, connect to it, and let it end or stop it. */
async function background(does: string, { stops = false, port = true } = {}): Promise<string> {
  const wanted = port ? await aFreePort() : undefined
  const command = `sleep 0.3; ${does}; echo up; sleep ${stops ? 30 : 0.7}`
  const started = await processes.start({
    sessionId: 's1',
    command,
    workspace: folder,
    folder,
    access: WORK,
    confine: commands.confine,
    port: wanted,
  })
  if (isRefusal(started)) return started.refused
  const { address } = started.background.facts()
  if (address !== null) await touch(Number(new URL(address).port))
  if (stops) await started.background.stop()
  await started.background.ended
  return started.background.facts().state
}

async function command(text: string, cwd = folder): Promise<string> {
  const confined = await commands.confine(shellFor(text), WORK, { folder, cwd, sessionId: 's1' })
  if (isRefusal(confined)) return confined.refused
  const given = {
    folder: cwd,
    timeoutMs: 5_000,
    signal: new AbortController().signal,
    output: () => undefined,
  }
  const ended = await runCommand({ ...given, command: text, confined })
  return ended.how === 'exited' ? ended.output.trim().slice(0, 100) : ended.how
}

/** A server that is a script of Node, and answers `initialize` with `begins`. */
async function server(code: string, begins = true): Promise<string> {
  const script = join(folder, 'server.mjs')
  const greeting = `const say = value => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...value }) + '\\n')
    process.stdin.setEncoding('utf8')
    let rest = ''
    process.stdin.on('data', text => {
      const lines = (rest + text).split('\\n')
      rest = lines.pop()
      for (const line of lines) { const { id, method } = JSON.parse(line)
        if (method === 'initialize') say({ id, result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } } })
        else if (method === 'tools/list') say({ id, result: { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] } })
        else if (id !== undefined) act(id) } })\n`
  writeFileSync(script, begins ? `${greeting}const act = id => { ${code} }` : code)
  const connections = openConnections({
    home,
    commands,
    keyOf: () => undefined,
    loginPath: async () => process.env['PATH'] ?? '',
    entryOf: name => LocalMcpServer.parse({ name, command: process.execPath, args: [script] }),
    fetchFor: () => fetch,
    version: '1.0.0',
    now: Date.now,
    eras: { olderSince: () => Date.now(), setOlder: () => undefined },
  })
  const signal = AbortSignal.timeout(10_000)
  const outcome = await connections.call('one', 'echo', {}, { signal, timeoutMs: 3_000 })
  await connections.close()
  return 'failed' in outcome ? outcome.failed.slice(0, 120) : 'answered'
}

/** An engine that is a script of Node. */
async function engine(code: string): Promise<string> {
  const script = join(base, 'engine.mjs')
  writeFileSync(script, code)
  const link = openLink(forkEngine(script, process.env, []), () => undefined)
  const hello = await link.hello
  const result = await link.ask(
    { t: 'embed', path: 'none', texts: ['x'] },
    { signal: AbortSignal.timeout(500) },
  )
  await link.end()
  return `${hello ? 'hello, ' : ''}${result.kind}`
}

const SOCKET = 'for s in /tmp/port-*.sock; do'
const HOSTILE: Record<string, () => Promise<string>> = {
  'a folder in place of its socket, then it ends': () =>
    background(`${SOCKET} rm -f "$s"; mkdir -p "$s/in"; done`),
  'a folder in place of its socket, then it is stopped': () =>
    background(`${SOCKET} rm -f "$s"; mkdir -p "$s/in"; done`, { stops: true }),
  'its /tmp cannot be written, then it ends': () => background('chmod 500 /tmp'),
  'its /tmp cannot be written, then it is stopped': () => background('chmod 500 /tmp', { stops: true }),
  'its /tmp cannot be entered, then it ends': () => background('chmod 000 /tmp'),
  'its /tmp cannot be entered, then it is stopped': () => background('chmod 000 /tmp', { stops: true }),
  'a pipe in place of its socket': () => background(`${SOCKET} rm -f "$s"; mkfifo "$s"; done`),
  'a file in place of its socket': () => background(`${SOCKET} rm -f "$s"; echo x >"$s"; done`),
  'a link in place of its socket': () => background(`${SOCKET} rm -f "$s"; ln -s /dev/null "$s"; done`),
  'a loop of links in place of its socket': () => background(`${SOCKET} rm -f "$s"; ln -s "$s" "$s"; done`),
  'nothing is left of its /tmp': () => background('rm -rf /tmp/*', { stops: true }),
  'it closes all that it was given': () => background('exec <&- >&- 2>&- 3>&-', { stops: true, port: false }),
  'it prints what is no text': () =>
    background(String.raw`head -c 300000 /dev/urandom; printf '\033[999999;999999H\0\377\xed\xa0\x80'`, {
      port: false,
    }),
  'it kills its own group': () => background('kill -KILL 0', { port: false }),
  'a command after /tmp was closed': async () => {
    await command('mkdir -p /tmp/a/b; chmod 000 /tmp/a; chmod 500 /tmp')
    return command('echo went on')
  },
  'a command whose folder became a file': async () => {
    const inner = join(folder, 'inner')
    writeFileSync(inner, '')
    const unconfined = await runCommand({
      command: 'echo x',
      folder: inner,
      timeoutMs: 5_000,
      signal: new AbortController().signal,
      output: () => undefined,
    })
    return unconfined.how
  },
  'a server that closes its input and ends later': () =>
    server(`process.stdin.destroy(); setTimeout(() => process.exit(3), 300)`),
  'a server that ends within a message': () =>
    server(`process.stdout.write('{"jsonrpc":"2.0","id":' + id + ',"result":{"con'); process.exit(0)`),
  'a server that answers 100,000 levels deep': () =>
    server(
      `process.stdout.write('{"jsonrpc":"2.0","id":' + id + ',"result":{"content":' + '['.repeat(1e5) + ']'.repeat(1e5) + '}}\\n')`,
    ),
  'a server that answers what is no result': () =>
    server(
      `say({ id, result: { content: { toString: 1, then: 2 } } }); say({ id: {}, error: null }); say({ method: 'notifications/progress', params: 7 })`,
    ),
  'a server that prints no text on both': () =>
    server(
      `for (const out of [process.stdout, process.stderr]) out.write(Buffer.alloc(200000, 0xff)); process.exit(1)`,
    ),
  'a server that closes its own folder': async () => {
    await server(`void import('node:fs').then(({ chmodSync }) => chmodSync('.', 0))`)
    const again = await server(`say({ id, result: { content: [] } })`)
    chmodSync(join(home, 'connections', 'one'), 0o700)
    return again
  },
  'a server that kills its group before it answers': () => server(`process.kill(0, 'SIGKILL')`),
  'an engine that says what is no message': () =>
    engine(
      `for (const each of [null, 7, 'x', [], { t: 'end' }, { t: 'end', id: 1 }, { t: 'progress', id: 1 }, { t: 'hello' }]) process.send(each); process.on('message', () => process.exit(0))`,
    ),
  'an engine that ends at once': () => engine(`process.exit(7)`),
  'an engine that closes its channel': () =>
    engine(
      `process.send({ t: 'hello' }, () => process.disconnect()); setTimeout(() => process.exit(0), 1500)`,
    ),
}

/** Time limit of a scenario, in ms; the slowest takes three seconds on an idle machine. */
const PATIENCE_MS = Number(process.argv[2] ?? 60_000)
const said: Record<string, string> = {}
const escaped: string[] = []
let at = ''
for (const event of ['uncaughtException', 'unhandledRejection'])
  process.on(event, (error: unknown) => escaped.push(`${at}: ${String(error)}`))

for (const [name, act] of Object.entries(HOSTILE)) {
  at = name
  const done = act().catch((error: unknown) => `threw: ${String(error)}`)
  said[name] = await Promise.race([done, sleep(PATIENCE_MS, 'it never ended')])
  await sleep(100)
  // Make the folder for temporary files writable again for the next scenario.
  for (const each of existsSync(join(home, 'cache', 'tmp')) ? readdirSync(join(home, 'cache', 'tmp')) : [])
    chmodSync(join(home, 'cache', 'tmp', each), 0o700)
}
await processes.close()
const after = await command('echo alive')
console.log(JSON.stringify({ said, escaped, after, base }))
process.exit(0)
