import type { ChildProcess, SpawnOptions } from 'node:child_process'
import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import type { ConfinedStart } from '../../confinement/open-confinement.ts'
import { parseJson } from '../../lib/expected-errors.ts'
import { redactText } from '../../untrusted/redact.ts'
import { startChild } from '../../lib/processes/start-child.ts'
import { tidyUp, tidyUpLater } from '../../lib/processes/tidy-up.ts'
import { withinTime } from '../../lib/timing.ts'
import { endFamily, MARK } from '../../commands/end-family.ts'
import { createCleaner } from '../../commands/command-output.ts'
import { followStart } from '../../commands/run-command.ts'
import { describeBroken, findBrokenAnswer, NOT_JSON } from './broken-line.ts'
import { withoutHidden } from '../judge-tools.ts'
import { readNullsOf } from '../mending/drop-nulls.ts'
import { isRecord } from '../../lib/json-fields.ts'
import { CLOSED, createLimits, inTurns } from './message-limits.ts'

/** How to start the program of a server, with its whole environment. */
export type ProgramStart = {
  program: string
  args: readonly string[]
  cwd: string
  env: NodeJS.ProcessEnv
  /** Value of the environment variable that marks all processes of the program. */
  mark: string
  /** The folders where the program may write. Obeyed files there are watched. */
  written?: readonly string[]
  /** How the program is confined; absent if it is not. */
  confined?: ConfinedStart | undefined
  /** Secrets to redact in every line that the program prints. */
  secrets: readonly string[]
  /** The function that starts the program; the default is Node's own. */
  spawn?: (program: string, args: string[], options: SpawnOptions) => ChildProcess
}

/** A transport to one server. */
export type ServerTransport = Transport & {
  /** The reason why the transport ended, for the user; undefined while it is open. */
  readonly ending: string | undefined
  /** The last lines that a program wrote on stderr, and lines on stdout that are not messages. */
  lastLines(): string[]
  /** Whether the server's program runs confined. */
  readonly isConfined?: boolean
  /** Whether nothing has run, because the program could not be confined. */
  readonly setupFailed?: boolean
  /** Resolves once the program has ended, with everything that it started. */
  readonly ended: Promise<void>
}

/** A running program that speaks MCP over stdin and stdout. */
export type StdioTransport = ServerTransport & {
  readonly leader: number | undefined
  /** Whether the program was ended because it exceeded a limit. */
  readonly wentTooFar: boolean
  /** Add a line of ours to the server's output. */
  note(line: string): void
  /** End the server because of what it did. */
  endFor(why: string): void
}

const MOST_LINES = 40
const LONGEST_KEPT = 500
/** How long a server may take to end once its input closes, and its last output to arrive, in ms. */
const GOODBYE_MS = 500
const LINGER_MS = 1_000

/**
 * Start a program and its transport. The SDK's own leaves grandchildren running, waits four seconds for a
 * stubborn program, and silently ends the connection at one overlong line. This one ends the whole family of
 * processes.
 */
export function stdioTransport(given: ProgramStart): StdioTransport {
  const limits = createLimits()
  const lines = createLastLines(given.secrets)
  const exited = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  let delivered: Promise<void> | undefined
  let child: ChildProcess | undefined
  let ending: string | undefined
  let wentTooFar = false
  let setupFailed = false
  let hasExited = false
  let finishing: Promise<void> | undefined
  let hasStarted = () => true
  let endWatch = (): void => undefined

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
    isConfined: given.confined !== undefined,
    get setupFailed() {
      return setupFailed
    },
    get wentTooFar() {
      return wentTooFar
    },
    lastLines: lines.last,
    note: lines.add,
    endFor: why => void endAtOnce(why),
    ended: ended.promise,
    start,
    send,
    close: () => end(CLOSED),
  }

  function start(): Promise<void> {
    const started = Promise.withResolvers<void>()
    const { confined } = given
    const options: SpawnOptions = {
      cwd: given.cwd,
      env: { ...given.env, [MARK]: given.mark },
      // Descriptor 3 reports whether a confined program started.
      stdio: ['pipe', 'pipe', 'pipe', ...(confined?.reportsStart ? (['pipe'] as const) : [])],
      windowsHide: true,
      detached: process.platform !== 'win32',
    }
    child = startChild(given.program, given.args, options, given.spawn)
    hasStarted = followStart(child, confined)
    child.once('spawn', () => started.resolve())
    child.on('error', (error: NodeJS.ErrnoException) => {
      void end(`it could not be started (${error.code ?? error.message})`)
      started.reject(error)
    })
    child.once('exit', (code, signal) => {
      hasExited = true
      exited.resolve()
      void endAfterExit(code, signal)
    })
    child.once('close', () => closed.resolve())
    child.stdout?.on('data', (bytes: Buffer) => tidyUp('read what a server printed', () => readAll(bytes)))
    child.stdout?.once('end', () => void endIfMute())
    if (child.stderr) lines.follow(child.stderr)
    if (child.pid !== undefined) endWatch = confined?.watch(child.pid, why => void endAtOnce(why)) ?? endWatch
    return started.promise
  }

  function readAll(bytes: Buffer): void {
    for (const line of limits.split(bytes)) read(line)
  }

  function read(line: string | { exceeded: string }): void {
    if (ending !== undefined) return
    if (typeof line !== 'string') return void endAtOnce(line.exceeded)
    const message = readMessage(line) ?? answerFor(line)
    if (message === undefined) lines.add(line)
    const verdict = message === undefined ? limits.judgeRubbish() : limits.judge(message)
    if (typeof verdict !== 'string') return void endAtOnce(verdict.exceeded)
    if (verdict === 'take' && message !== undefined) delivered = deliver(message)
  }

  /** An error for an answer of invalid JSON, so that its request need not wait for the time-out. */
  function answerFor(line: string): JSONRPCMessage | undefined {
    const id = findBrokenAnswer(line, limits.waiting())
    if (id === undefined) return undefined
    lines.add(line)
    const message = redactText(describeBroken(createCleaner(given.secrets)(line, true)))
    return { jsonrpc: '2.0', id: Number(id), error: { code: NOT_JSON, message } }
  }

  async function send(message: JSONRPCMessage): Promise<void> {
    const input = child?.stdin
    if (!input || ending !== undefined || hasExited) {
      const { SdkError, SdkErrorCode } = await import('@modelcontextprotocol/client')
      throw new SdkError(SdkErrorCode.NotConnected, 'The program does not run.')
    }
    limits.sent(message)
    if (!input.write(`${JSON.stringify(message)}\n`))
      await Promise.race([new Promise(resolve => input.once('drain', resolve)), ended.promise])
  }

  /** End after an exit, but wait a moment: a server may answer and exit, and its output arrives later. */
  async function endAfterExit(code: number | null, signal: NodeJS.Signals | null): Promise<void> {
    await withinTime(LINGER_MS, closed.promise)
    await delivered
    if (ending === undefined && code !== null && code < 128 && !hasStarted()) {
      given.confined?.couldNotStart()
      setupFailed = true
      await end('it could not be confined')
    } else await end(signal === null ? `it ended with code ${code}` : `it was ended by ${signal}`)
  }

  /** End a program that closed its output and keeps running, because it cannot answer. */
  async function endIfMute(): Promise<void> {
    if (!(await withinTime(LINGER_MS, exited.promise))) await endAtOnce('it closed its output')
  }

  function endAtOnce(why: string): Promise<void> {
    wentTooFar ||= ending === undefined
    return end(why)
  }

  function end(why: string): Promise<void> {
    ending ??= why
    return (finishing ??= endNow())
  }

  async function endNow(): Promise<void> {
    tidyUp('end the watch of a server', endWatch)
    const leader = child?.pid
    if (child && leader !== undefined) {
      child.stdin?.end()
      if (!hasExited && !wentTooFar) await withinTime(GOODBYE_MS, exited.promise)
      const family = { leader, mark: given.mark, spareLeader: given.confined !== undefined }
      await tidyUpLater('end a server', () => endFamily(family))
      await withinTime(LINGER_MS, closed.promise)
    }
    for (const stream of child?.stdio ?? []) stream?.destroy()
    ended.resolve()
    tidyUp('tell that a server ended', () => transport.onclose?.())
  }

  return transport
}

/** Parse a line as a JSON-RPC message; undefined for other output. */
function readMessage(line: string): JSONRPCMessage | undefined {
  // On Windows, programs begin their output with a byte order mark.
  const value = readNullsOf(parseJson(line.replace(/^\uFEFF/, '')))
  if (!isRecord(value) || value['jsonrpc'] !== '2.0') return undefined
  return value as JSONRPCMessage
}

/**
 * Keep the last lines of a program for users, without hidden characters and secrets. They are cleaned only
 * when read, because a program can print faster than that.
 */
function createLastLines(secrets: readonly string[]) {
  const lines: string[] = []

  function add(line: string): void {
    if (line.trim() === '') return
    // Make a copy, because a slice would keep the whole long line in memory.
    lines.push(Buffer.from(line.slice(0, 2 * LONGEST_KEPT)).toString())
    if (lines.length > MOST_LINES) lines.shift()
  }

  const cleaned = (line: string) =>
    redactText(withoutHidden(createCleaner(secrets)(line, true)))
      .trim()
      .slice(0, LONGEST_KEPT)

  return {
    add,
    last: () => lines.map(cleaned).filter(line => line !== ''),
    follow(stream: Readable): void {
      const decoder = new StringDecoder('utf8')
      let rest = ''
      stream.on('data', (bytes: Buffer) => {
        const parts = (rest + decoder.write(bytes)).split('\n')
        rest = parts.pop()!.slice(-2 * LONGEST_KEPT)
        for (const each of parts.slice(-MOST_LINES)) add(each)
      })
      stream.on('end', () => add(rest))
    },
  }
}

/** Combine the reason with the program's last words, which usually explain more. */
export function whyNot(reason: string, transport: ServerTransport): string {
  const { ending } = transport
  if (ending === undefined) return reason
  const isProgram = 'wentTooFar' in transport
  if (isProgram && transport.wentTooFar) return `The program was ended because ${ending}.`
  const said = tellingLine(transport.lastLines())
  const ended = isProgram ? ending.replace(/^it /, 'The program ') : `The connection ended: ${ending}`
  const how = ending === CLOSED ? reason : `${ended}.`
  return said === undefined ? how : `${how} It printed: ${said}`
}

/** The line that names an error. Programs print a trace and their version after it. */
const tellingLine = (lines: readonly string[]): string | undefined =>
  lines.findLast(line => /^(?:Uncaught )?[\w.]*(?:Error|Exception)\b|\berror:/i.test(line)) ?? lines.at(-1)

/** Combine the reason with the program's last words, for a call without an answer. */
export const whyNoAnswer = (reason: string, transport: ServerTransport): string =>
  transport.ending === CLOSED ? 'Talaria ended the server before it answered.' : whyNot(reason, transport)
