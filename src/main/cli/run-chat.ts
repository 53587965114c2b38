import { resolve } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import type { HostClient } from '../../shared/contract/index.ts'
import type { ApprovalMode, Session } from '../../shared/contract/session.ts'
import { Fault } from '../../shared/rpc.ts'
import { resolveWorkspace } from '../app/workspace.ts'
import {
  sendAndFollow,
  compactAndFollow,
  ignoreEnded,
  type Screen,
  jsonPrinter,
  textPrinter,
} from './follow-run.ts'
import { currentFolder, absolutePath } from './command-line.ts'
import { chatNamed } from './learned-items.ts'
import { learnNamedText } from './learn-command.ts'
import { openClient } from './open-client.ts'
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
/model         list the models
/model <id>    use another model or GGUF file
/approve <m>   ask, reads, all or none
/compact [x]   summarise the older messages for the model; x is what to keep
/learn <path>  propose skills and notes from a text file or a folder
/exit          leave (Ctrl-D)
Ctrl-C stops an answer, or skips what is done before a summary.
`

/** Set expectations: the smallest model is not representative of local models. */
const DEMO = 'The tiny built-in demo model answers. For real work add a larger one (talaria models --help).\n'

/** Answer one question, or hold a conversation. Resolves to whether every run succeeded. */
export async function runChat(options: ChatOptions): Promise<boolean> {
  const isTerminal = process.stdin.isTTY && process.stderr.isTTY
  const cwd = await resolveWorkspace(
    options.cwd?.startsWith('~') ? options.cwd : resolve(currentFolder(), options.cwd ?? ''),
  )
  if (options.query?.trim() === '') throw new Fault('bad_input', 'The question is empty.')
  const question = options.query ?? (isTerminal ? undefined : (await readAll(process.stdin)).trim())
  if (question === '') {
    throw new Fault('bad_input', 'No question given. Pass one with -q or through standard input.')
  }

  const { client, close } = await openClient(options.home, cwd)
  const terminal = createTerminal(isTerminal)
  const printer = options.json ? jsonPrinter(process.stdout) : textPrinter(process.stdout, process.stderr)
  const unread = new AbortController()
  process.stdout.on('error', () => unread.abort())
  const screen = { printer, terminal, unread: unread.signal }
  const chats = openChats(client)
  try {
    await printNotices(client, terminal)
    const approval = modeOf(options.approve ?? (isTerminal ? 'ask' : 'none'), isTerminal)
    const session = await chats.open({
      id: options.session === undefined ? undefined : (await chatNamed(client, options.session)).id,
      approval,
      workspace: options.session === undefined || options.cwd !== undefined ? cwd : undefined,
      modelId: options.model === undefined ? undefined : await modelIdOf(client, options.model),
    })
    if (question !== undefined) return await sendAndFollow(client, session.id, question, screen)
    await converse(client, chats, session, screen)
    return true
  } finally {
    terminal.close()
    chats.giveBack()
    await close()
  }
}

/** Print notices about the home folder, such as a mistake in the configuration. */
async function printNotices(client: HostClient, terminal: Terminal): Promise<void> {
  for await (const event of client['app.watch']({})) {
    if (event.type !== 'hello') return
    for (const { text, fix } of event.notices) terminal.say(`${text} ${fix}`.trimEnd() + '\n')
    return
  }
}

type Wanted = {
  id?: string | undefined
  approval: ApprovalMode
  workspace?: string | undefined
  modelId?: string | undefined
}

/**
 * The chats used by this command. The mode from the command line is only lent to a chat while this command is connected, so
 * nothing of it is left, however the command ends.
 */
function openChats(client: HostClient) {
  const loans = new Map<string, AbortController>()

  async function lend(id: string, approval: ApprovalMode): Promise<void> {
    const over = new AbortController()
    const stream = client['session.lendMode']({ id, approval }, { signal: over.signal })
    await stream.next()
    loans.get(id)?.abort()
    loans.set(id, over)
    // The stream has to be followed, and ends with this command or with the host.
    void stream.next().catch(ignoreEnded)
  }

  return {
    lend,
    async open({ id, approval, workspace, modelId }: Wanted): Promise<Session> {
      const session =
        id === undefined
          ? await client['session.create']({ source: 'cli' })
          : await client['session.get']({ id })
      await lend(session.id, approval)
      return client['session.update']({
        id: session.id,
        ...(workspace !== undefined && { workspace }),
        ...(modelId !== undefined && { modelId }),
      })
    },
    giveBack() {
      for (const loan of loans.values()) loan.abort()
    },
  }
}

function modeOf(name: string, canAsk: boolean): ApprovalMode {
  if (name === 'all') return 'full'
  if (name === 'ask') return canAsk ? 'ask' : 'none'
  if (name === 'reads' || name === 'none') return name
  throw new Fault('bad_input', `Unknown approval mode “${name}”. Use ask, reads, all or none.`)
}

/** Accepts a model id that Talaria knows, or a file path. */
async function modelIdOf(client: HostClient, given: string): Promise<string> {
  const { models } = await client['model.list']({})
  if (models.some(model => model.id === given)) return given
  return `file:${absolutePath(given)}`
}

async function converse(
  client: HostClient,
  chats: ReturnType<typeof openChats>,
  first: Session,
  screen: Screen,
): Promise<void> {
  const { terminal } = screen
  let session = first
  terminal.say(`Talaria. ${session.workspace}. /help shows the commands.\n`)
  const { models } = await client['model.list']({})
  if (models.find(({ id }) => id === session.modelId)?.demo) terminal.say(DEMO)
  for (;;) {
    const line = await terminal.readLine()
    if (line === undefined || line === '/exit' || line === '/quit') return
    if (line === '') continue
    try {
      if (line.startsWith('/')) session = await command(client, chats, session, line, screen)
      else await sendAndFollow(client, session.id, line, screen)
    } catch (error) {
      if (!(error instanceof Fault) || error.code === 'disconnected') throw error
      terminal.say(`${error.message}\n`)
    }
  }
}

async function command(
  client: HostClient,
  chats: ReturnType<typeof openChats>,
  session: Session,
  line: string,
  screen: Screen,
): Promise<Session> {
  const { terminal } = screen
  const [name, ...rest] = line.split(/\s+/)
  const argument = rest.join(' ')
  const { id, workspace, approval, modelId } = session
  switch (name) {
    case '/new':
      return chats.open({ workspace, approval, modelId })
    case '/model': {
      if (argument !== '') return client['session.update']({ id, modelId: await modelIdOf(client, argument) })
      const { models } = await client['model.list']({})
      for (const each of models) {
        const problem = each.problem === null ? '' : ` (${each.problem})`
        terminal.say(`${each.id === modelId ? '*' : ' '} ${each.id}  ${each.name}${problem}\n`)
      }
      return session
    }
    case '/approve':
      await chats.lend(id, modeOf(argument, true))
      return client['session.get']({ id })
    case '/compact':
      await compactAndFollow(client, id, argument, screen)
      return session
    case '/learn':
      if (argument === '')
        throw new Fault('bad_input', 'Name a folder or a text file: /learn docs/release.md')
      await learnNamedText(client, id, argument)
      return session
    default:
      terminal.say(HELP)
      return session
  }
}
