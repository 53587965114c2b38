import { spawn as spawnProgram, type ChildProcess } from 'node:child_process'
import { StringDecoder } from 'node:string_decoder'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { withinTime } from '../lib/timing.ts'
import { createCleaner } from '../tools/command-output.ts'
import { endFamily, MARK } from '../processes/end-family.ts'
import { createLimits, inTurns } from './message-limits.ts'

/** How the program of a server is started: with its whole environment, and whether something confines it. */
export type ProgramStart = {
  program: string
  args: readonly string[]
  cwd: string
  env: NodeJS.ProcessEnv
  /** Value of the variable by which all that it starts is found again. */
  mark: string
  isConfined: boolean
}

/** A way to speak with one server. */
export type ServerTransport = Transport & {
  /** Why it ended or was ended, for a person; undefined while it lasts. */
  readonly ending: string | undefined
  /** The last lines that a program wrote on stderr, and lines on stdout that are no messages. */
  lastLines(): string[]
  /** Resolves when it has ended with everything that it started. */
  readonly ended: Promise<void>
}

/** A running program that speaks MCP on its standard streams. */
export type StdioTransport = ServerTransport & { readonly leader: number | undefined }

const MOST_LINES = 40
const LONGEST_KEPT = 500
/** How long a server may take to end by itself when its input closes, in ms. */
const GOODBYE_MS = 500
const LINGER_MS = 1_000

/**
 * The SDK's own transport leaves grandchildren behind, waits four seconds for a stubborn program, and ends the connection
 * at one line that is too long without saying so. This one ends the whole family of processes.
 */
export function stdioTransport(given: ProgramStart, spawn = spawnProgram): StdioTransport {
  const lines: string[] = []
  const limits = createLimits()
  const ended = Promise.withResolvers<void>()
  let child: ChildProcess | undefined
  let ending: string | undefined
  let finishing: Promise<void> | undefined

  function keep(line: string): void {
    const text = line.trim().slice(0, LONGEST_KEPT)
    if (text === '') return
    lines.push(text)
    if (lines.length > MOST_LINES) lines.shift()
  }

  const deliver = inTurns(
    message => transport.onmessage?.(message),
    error => transport.onerror?.(error),
  )
  const transport: StdioTransport = {
    get leader() {
      return child?.pid
    },
    get ending() {
      return ending
    },
    lastLines: () => [...lines],
    ended: ended.promise,
    start,
    send,
    close: () => end('Talaria closed it'),
  }

  function start(): Promise<void> {
    const started = Promise.withResolvers<void>()
    child = spawn(given.program, [...given.args], {
      cwd: given.cwd,
      env: { ...given.env, [MARK]: given.mark },
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
      detached: process.platform !== 'win32',
    })
    child.once('spawn', () => started.resolve())
    child.once('error', error => {
      ending ??= 'it could not be started'
      started.reject(error)
      void end(ending)
    })
    child.once(
      'exit',
      (code, signal) =>
        void end(signal === null ? `it ended with code ${code}` : `it was ended by ${signal}`),
    )
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.on('error', () => undefined)
    child.stdout?.on('data', (bytes: Buffer) => {
      for (const line of limits.split(bytes)) read(line)
    })
    keepLines(child)
    return started.promise
  }

  function keepLines({ stderr }: ChildProcess): void {
    const decoder = new StringDecoder('utf8')
    const clean = createCleaner()
    let rest = ''
    stderr?.on('data', (bytes: Buffer) => {
      const parts = (rest + clean(decoder.write(bytes))).split('\n')
      rest = parts.pop()!.slice(-LONGEST_KEPT)
      parts.forEach(keep)
    })
    stderr?.on('end', () => keep(rest))
  }

  function read(line: string | { exceeded: string }): void {
    if (ending !== undefined) return
    if (typeof line !== 'string') return void end(line.exceeded, 'at once')
    const message = parseMessage(line)
    if (message === undefined) return keep(line)
    const verdict = limits.judge(message)
    if (typeof verdict !== 'string') return void end(verdict.exceeded, 'at once')
    if (verdict === 'take') deliver(message)
  }

  async function send(message: JSONRPCMessage): Promise<void> {
    const input = child?.stdin
    if (!input || ending !== undefined)
      throw new Error(`The server is not running: ${ending ?? 'it was not started'}.`)
    limits.sent(message)
    if (!input.write(`${JSON.stringify(message)}\n`))
      await Promise.race([new Promise(resolve => input.once('drain', resolve)), ended.promise])
  }

  const end = (why: string, how: 'at once' | 'politely' = 'politely'): Promise<void> => {
    ending ??= why
    return (finishing ??= endNow(how))
  }

  async function endNow(how: 'at once' | 'politely'): Promise<void> {
    const leader = child?.pid
    if (child && leader !== undefined) {
      const exited = new Promise<void>(resolve => child!.once('exit', () => resolve()))
      child.stdin?.end()
      const isAlive = child.exitCode === null && child.signalCode === null
      if (isAlive && how === 'politely') await withinTime(GOODBYE_MS, exited)
      await endFamily({ leader, mark: given.mark, spareLeader: given.isConfined })
      if (child.exitCode === null && child.signalCode === null) await withinTime(LINGER_MS, exited)
    }
    for (const stream of [child?.stdin, child?.stdout, child?.stderr]) stream?.destroy()
    ended.resolve()
    transport.onclose?.()
  }

  return transport
}

/** A line as a message of JSON-RPC; undefined for what a program prints by mistake. */
function parseMessage(line: string): JSONRPCMessage | undefined {
  try {
    const value: unknown = JSON.parse(line)
    const isMessage = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isMessage && (value as { jsonrpc?: unknown }).jsonrpc === '2.0'
      ? (value as JSONRPCMessage)
      : undefined
  } catch {
    return undefined
  }
}
