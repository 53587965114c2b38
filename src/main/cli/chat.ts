import { resolve } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import type { HostClient } from '../../shared/contract/index.ts'
import type { ApprovalMode, Session } from '../../shared/contract/session.ts'
import { Fault } from '../../shared/rpc.ts'
import { resolveWorkspace } from '../workspace.ts'
import { openClient } from './open-client.ts'
import { jsonPrinter, textPrinter, type Printer } from './print.ts'
import { createTerminal, type Terminal } from './terminal.ts'

export type ChatOptions = {
  query?: string
  json?: boolean
  model?: string
  home?: string
  cwd?: string
  session?: string
  approve?: 'ask' | 'reads' | 'all' | 'none'
}

const HELP = `/new           start a new chat
/model <id>    use another model or GGUF file
/approve <m>   ask, reads, all or none
/exit          leave (Ctrl-D)
Ctrl-C stops an answer.
`

/** Answer one question, or hold a conversation. Resolves to whether every run went well. */
export async function chat(options: ChatOptions): Promise<boolean> {
  const isTerminal = process.stdin.isTTY === true && process.stderr.isTTY === true
  // `npm run` changes the folder; where the person stood is in INIT_CWD.
  const cwd = await resolveWorkspace(options.cwd ?? process.env['INIT_CWD'] ?? process.cwd())
  if (options.query?.trim() === '') throw new Fault('bad_input', 'The question is empty.')
  const question = options.query ?? (isTerminal ? undefined : (await readAll(process.stdin)).trim())
  if (question === '')
    throw new Fault('bad_input', 'There is no question: pass one with -q, or through standard input.')

  const { client, close } = await openClient(options.home, cwd)
  const terminal = createTerminal(isTerminal)
  const printer = options.json ? jsonPrinter(process.stdout) : textPrinter(process.stdout, process.stderr)
  try {
    const session = await openSession(client, options, cwd, isTerminal)
    if (question !== undefined) return await answer(client, session.id, question, printer, terminal)
    return await converse(client, session, printer, terminal)
  } finally {
    terminal.close()
    await close()
  }
}

async function openSession(
  client: HostClient,
  options: ChatOptions,
  cwd: string,
  isTerminal: boolean,
): Promise<Session> {
  const approval = modeOf(options.approve ?? (isTerminal ? 'ask' : 'none'))
  const modelId = options.model === undefined ? undefined : await modelIdOf(client, options.model)
  if (options.session !== undefined)
    return client['session.update']({
      id: options.session,
      approval,
      ...(modelId !== undefined && { modelId }),
    })
  return client['session.create']({
    workspace: cwd,
    approval,
    source: 'cli',
    ...(modelId !== undefined && { modelId }),
  })
}

const modeOf = (name: string): ApprovalMode => {
  if (name === 'all') return 'full'
  if (name === 'ask' || name === 'reads' || name === 'none') return name
  throw new Fault('bad_input', `There is no approval mode “${name}”: ask, reads, all or none.`)
}

/** An id that Talaria knows, or the path of a file. */
async function modelIdOf(client: HostClient, given: string): Promise<string> {
  const { models } = await client['model.list']({})
  if (models.some(model => model.id === given)) return given
  return `file:${resolve(process.env['INIT_CWD'] ?? process.cwd(), given)}`
}

/** One turn: send, follow, answer its questions, and stop it on Ctrl-C. */
async function answer(
  client: HostClient,
  sessionId: string,
  text: string,
  printer: Printer,
  terminal: Terminal,
): Promise<boolean> {
  const { runId } = await client['chat.send']({ sessionId, text })
  const stop = () => void client['run.stop']({ runId })
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  let went = false
  try {
    for await (const event of client['run.watch']({ runId, after: 0 })) {
      printer.print(event)
      if (event.type === 'turn_end') went = event.reason === 'done'
      if (event.type === 'approval_request') {
        const { id: approvalId } = event.approval
        // Not awaited: a stop must reach us while the question is open.
        void terminal
          .askApproval(event.approval)
          .then(
            decision => client['run.approve']({ runId, approvalId, decision }),
            () => client['run.approve']({ runId, approvalId, decision: 'deny' }),
          )
          .catch(() => undefined)
      }
    }
  } finally {
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
  }
  return went
}

async function converse(
  client: HostClient,
  first: Session,
  printer: Printer,
  terminal: Terminal,
): Promise<boolean> {
  let session = first
  terminal.say(`Talaria. ${session.workspace}. /help shows the commands.\n`)
  for (;;) {
    const line = (await terminal.readLine())?.trim()
    if (line === undefined || line === '/exit' || line === '/quit') return true
    if (line === '') continue
    try {
      if (line.startsWith('/')) session = await command(client, session, line, terminal)
      else await answer(client, session.id, line, printer, terminal)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      terminal.say(`${error.message}\n`)
    }
  }
}

async function command(
  client: HostClient,
  session: Session,
  line: string,
  terminal: Terminal,
): Promise<Session> {
  const [name, ...rest] = line.split(/\s+/)
  const argument = rest.join(' ')
  switch (name) {
    case '/new': {
      const { workspace, approval, modelId } = session
      return client['session.create']({ workspace, approval, modelId, source: 'cli' })
    }
    case '/model': {
      if (argument !== '')
        return client['session.update']({ id: session.id, modelId: await modelIdOf(client, argument) })
      const { models } = await client['model.list']({})
      for (const { id, name, problem } of models)
        terminal.say(
          `${id === session.modelId ? '*' : ' '} ${id}  ${name}${problem === null ? '' : ` (${problem})`}\n`,
        )
      return session
    }
    case '/approve':
      return client['session.update']({ id: session.id, approval: modeOf(argument) })
    default:
      terminal.say(HELP)
      return session
  }
}
