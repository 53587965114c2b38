import { mkdirSync, writeFileSync, rmSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { aFolderToConfine } from '../confinement/folder-to-confine.ts'
import { moments } from '../moments.ts'
import { setFault, sitesSeen, watchCalls, type Fault } from './fail-calls.ts'

// Repeats a scenario with child processes, and lets a different call of our sources fail each time. Prints
// the failures that escaped, which would have crashed the host.

const [scenario = '', part = '0', parts = '1'] = process.argv.slice(2)
/** Where calls fail in each scenario. */
const FOLDERS: Record<string, RegExp> = {
  process: /^(?:processes|commands|lib\/processes)\//,
  server: /^(?:mcp|lib\/processes)\//,
  command: /^(?:commands|lib\/processes)\//,
  engine: /^(?:models\/engines\/local|lib\/processes)\//,
  confine: /^(?:confinement|lib)\//,
}
watchCalls(FOLDERS[scenario]!)

const { openConfinement } = await import('../../src/main/confinement/open-confinement.ts')
const { commandConfinement } = await import('../../src/main/confinement/sandbox-setting.ts')
const { openProcesses } = await import('../../src/main/processes/open-processes.ts')
const { runCommand } = await import('../../src/main/commands/run-command.ts')
const { openConnections } = await import('../../src/main/mcp/connections/open-connections.ts')
const { openSmallModels } = await import('../../src/main/models/engines/local/small-models.ts')
const { forkEngine } = await import('../../src/main/models/engines/local/process/start-engine.ts')
const { LocalMcpServer } = await import('../../src/shared/contract/connections/mcp.ts')
const { isRefusal } = await import('../../src/main/lib/expected-errors.ts')

const escaped: string[] = []
let at: Fault | undefined
for (const event of ['uncaughtException', 'unhandledRejection'])
  process.on(event, (error: unknown) =>
    escaped.push(
      `${at?.how} ${at?.site}: ${event}: ${error instanceof Error ? error.stack?.split('\n').slice(0, 3).join(' ') : String(error)}`,
    ),
  )

const WORK = { profile: 'work', network: false, obeyed: 'nothing' } as const

/** A home folder and a working folder for one round, with a confiner for commands. */
function aPlace() {
  const base = aFolderToConfine()
  const [home, folder] = [join(base, 'home'), join(base, 'chat')]
  for (const each of [home, folder]) mkdirSync(each)
  const confiner = openConfinement({ home, readable: () => [] })
  const commands = commandConfinement(confiner, { sandbox: () => 'on', isOffline: () => false })
  return { base, home, folder, commands }
}
type Place = ReturnType<typeof aPlace>

/** The text that a port of this computer sends; empty if nothing listens. */
async function readPort(port: number): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', (bytes: Buffer) => (text += bytes.toString()))
  socket.on('error', () => undefined)
  const timer = setTimeout(() => socket.destroy(), 500)
  await once(socket, 'close')
  clearTimeout(timer)
  return text
}

/** The scenarios of a round. Each returns a result that shows whether all worked. */
const scenarios: Record<string, (place: Place) => Promise<string>> = {
  async process({ folder, commands }) {
    const free = createServer().listen(0, '127.0.0.1')
    await once(free, 'listening')
    const { port } = free.address() as AddressInfo
    free.close()
    const processes = openProcesses({ now: Date.now })
    const command = `socat TCP-LISTEN:${port},fork,reuseaddr SYSTEM:"echo tea" & sleep 0.1; echo up; wait`
    const given = { sessionId: 's1', workspace: folder, folder, access: WORK, confine: commands.confine }
    const started = await processes.start({ ...given, command, port }).catch(asText)
    let said = ''
    if (typeof started !== 'string' && !isRefusal(started)) {
      const address = started.background.facts().address
      if (address !== null) said = await readPort(Number(new URL(address).port))
      await started.background.stop()
    }
    const plain = await processes
      .start({ ...given, command: 'echo $$; sleep 30 & wait', access: 'unconfined' })
      .catch(asText)
    if (typeof plain !== 'string' && !isRefusal(plain)) await processes.endChat('s1')
    await processes.close()
    return said.trim()
  },
  async server({ home, commands }) {
    const program = fileURLToPath(new URL('../mcp/misbehaving-server.ts', import.meta.url))
    const data = join(home, '..', 'data')
    mkdirSync(data, { recursive: true })
    writeFileSync(join(data, 'a.txt'), 'a')
    const connections = openConnections({
      home,
      commands,
      keyOf: () => undefined,
      loginPath: async () => process.env['PATH'] ?? '',
      entryOf: name =>
        LocalMcpServer.parse({
          name,
          command: process.execPath,
          args: [program, 'good'],
          env: { PLACE: data, FILE: join(data, 'a.txt') },
        }),
      fetchFor: () => fetch,
      version: '1.0.0',
      now: Date.now,
      eras: { olderSince: () => Date.now(), setOlder: () => undefined },
    })
    const outcome = await connections
      .call('one', 'echo', { text: 'tea' }, { signal: AbortSignal.timeout(20_000), timeoutMs: 5_000 })
      .catch(asText)
    await connections.stop()
    await connections.close()
    return JSON.stringify(outcome).includes('tea') ? 'tea' : ''
  },
  async command({ folder, commands }) {
    const run = async (command: string, isConfined: boolean, signal = new AbortController().signal) => {
      const { watchingLeft } = await import('../../src/main/commands/left-running.ts')
      const { shellFor } = await import('../../src/main/commands/process-group.ts')
      const confined = isConfined
        ? await commands.confine(watchingLeft(shellFor(command)), WORK, {
            folder,
            cwd: folder,
            sessionId: 's1',
          })
        : undefined
      if (confined && isRefusal(confined)) return confined.refused
      const ended = await runCommand({
        command,
        folder,
        timeoutMs: 20_000,
        signal,
        output: () => undefined,
        ...(confined && { confined }),
      })
      if (confined && !isRefusal(confined)) confined.cleanUp()
      return ended.how === 'exited' ? ended.output : ended.how
    }
    const said = await run('echo tea; sleep 30 & exit 0', true).catch(asText)
    await run('echo tea; sleep 5 & exit 0', false).catch(asText)
    await run('trap "" TERM; sleep 30', false, AbortSignal.timeout(100)).catch(asText)
    return said.trim()
  },
  async confine({ folder, commands }) {
    const where = { folder, cwd: folder, sessionId: 's1' }
    const confined = await commands.confine(['/bin/echo', 'tea'], WORK, where)
    if (isRefusal(confined)) return confined.refused
    const given = { command: '', folder, timeoutMs: 20_000, signal: new AbortController().signal }
    const ended = await runCommand({ ...given, output: () => undefined, confined })
    confined.cleanUp()
    return ended.how === 'exited' ? ended.output.trim() : ended.how
  },
  async engine({ base }) {
    const script = join(base, 'engine.mjs')
    // Answers the first question, and dies in the middle of a message at the second.
    writeFileSync(
      script,
      `let asked = 0
      const loaded = { backend: 'cpu', gpuLayers: 0, contextTokens: 2048, sequences: 1, threads: 1, appendOnly: true, sampleTokens: 400 }
      process.on('message', ({ id, t, texts }) => {
        if (t === 'load') process.send({ t: 'end', id, result: { kind: 'loaded', loaded } })
        else if (t !== 'embed') process.send({ t: 'end', id, result: { kind: 'kept' } })
        else if (asked++ > 0) process.kill(process.pid, 'SIGKILL')
        else process.send({ t: 'end', id, result: { kind: 'embedded', vectors: texts.map(() => new Float32Array([1])) } })
      })
      process.send({ t: 'hello' })
      process.send({ t: 'pulse' })
      process.send('no message')`,
    )
    const meanings = openSmallModels({
      path: 'none',
      spawn: (_script, env, switches) => forkEngine(script, env, switches),
      report: () => undefined,
      waitMs: 5_000,
    })
    const signal = new AbortController().signal
    const first = await meanings.of(['tea'], signal).catch(asText)
    await meanings.of(['more'], signal).catch(asText)
    await meanings.close()
    return typeof first === 'object' && first.length === 1 ? 'tea' : ''
  },
}

const asText = (error: unknown): string => `threw: ${String(error)}`

async function round(fault: Fault | undefined): Promise<string> {
  at = fault
  const place = aPlace()
  setFault(fault)
  try {
    return await scenarios[scenario]!(place).catch(asText)
  } finally {
    // Wait for late events, from a timer or after the end of a process.
    await sleep(60)
    setFault(undefined)
    rmSync(place.base, { recursive: true, force: true })
  }
}

const first = await round(undefined)
const sites = sitesSeen()
// A round with a process takes two seconds, and confinement fails before anything runs.
const isOneWay = scenario === 'confine' || scenario === 'process'
const ways = isOneWay ? (['always'] as const) : (['always', 'once'] as const)
/**
 * A single failure is tested for every second call, and recovery for fewer; the long run tests both for every
 * call.
 */
const [onceIn = 1, checkIn = 1] = moments({ every: [1, 8], some: [2, 24] })
const faults = sites.flatMap((site, at) =>
  ways.filter(how => how === 'always' || at % onceIn === 0).map((how): Fault => ({ site, how })),
)
const unanswered: string[] = []
// Rounds wait more than they work, so the test divides the slowest ones among several processes.
for (const fault of faults.filter((_, at) => at % Number(parts) === Number(part))) {
  await round(fault)
  // Each failure is followed by the same scenario without one: a host that survives must also work.
  if (fault.how === 'always' && faults.indexOf(fault) % checkIn === 0 && (await round(undefined)) !== 'tea')
    unanswered.push(fault.site)
}
if ((await round(undefined)) !== 'tea') unanswered.push('the end')
console.log(JSON.stringify({ first, sites, escaped, unanswered }))
process.exit(0)
