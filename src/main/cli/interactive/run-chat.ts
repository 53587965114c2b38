import { relative, resolve } from 'node:path'
import type { AppEvent } from '../../../shared/contract/app.ts'
import type { HostClient } from '../../../shared/contract/index.ts'
import { Fault } from '../../../shared/rpc.ts'
import { resolveWorkspace } from '../../files/workspace.ts'
import { attachOrLeave } from './attach-files.ts'
import { modelIdOf, modeOf, openChats, sendAndFollow, type ChatState } from './follow-run.ts'
import { fillIn, templateIn } from './fill-in-terminal.ts'
import { jsonPrinter, textPrinter } from '../output/print-run.ts'
import { doTyped, sayBanner, skillsOf, wordsOf } from './slash-commands.ts'
import { currentFolder } from '../command-line.ts'
import { chatNamed } from '../find-item.ts'
import { openClient } from '../open-client.ts'
import { readQuestion, withPiped } from './piped-text.ts'
import { completeFile, filesNamedIn } from './named-files.ts'
import { projectNamed } from '../chats/projects-actions.ts'
import { useOnlyToolsets } from '../permissions/tools-actions.ts'
import { doAside } from './remember-commands.ts'
import { escapeInvisible, isPrinted } from '../output/terminal-text.ts'
import { createTerminal, type Terminal } from './ask-at-terminal.ts'
import { openHistory, type History } from './typed-lines.ts'

const TEMPORARY_IN_TERMINAL = 'Temporary: nothing is remembered, and the chat is gone when you leave it.'

export type ChatOptions = {
  query?: string
  json?: boolean
  verbose?: boolean
  model?: string
  home?: string
  cwd?: string
  session?: string
  approve?: 'ask' | 'reads' | 'all' | 'none'
  tools?: string
  project?: string
  attach?: string[]
  temporary?: boolean
}

/** Answer one question, or hold a conversation. Resolves to whether every run succeeded. */
export async function runChat(options: ChatOptions): Promise<boolean> {
  if (options.temporary && (options.session !== undefined || options.project !== undefined))
    throw new Fault(
      'bad_input',
      'A temporary chat is always new and belongs to no project. Leave out --session and --project.',
    )
  const isTerminal = process.stdin.isTTY && process.stderr.isTTY && options.query !== '-'
  const cwd = await resolveWorkspace(
    options.cwd?.startsWith('~') ? options.cwd : resolve(currentFolder(), options.cwd ?? ''),
  )
  const { question, piped } = await readQuestion(options.query, process.stdin, {
    isTerminal,
    say: text => void process.stderr.write(text),
  })
  // A question that is too long must not leave an empty chat behind.
  if (question !== undefined) withPiped(question, piped)

  const { client, close } = await openClient(options.home, cwd)
  const terminal = createTerminal(isTerminal)
  const printer = options.json
    ? jsonPrinter(process.stdout)
    : textPrinter(process.stdout, process.stderr, { activity: terminal.activity, verbose: options.verbose })
  const unread = new AbortController()
  process.stdout.on('error', () => unread.abort())
  const screen = { printer, terminal, unread: unread.signal }
  const chats = openChats(client)
  try {
    const hello = await sayNotices(client, terminal)
    const approval = modeOf(options.approve ?? (isTerminal ? 'ask' : 'none'), isTerminal)
    // A mistake in the toolsets must not leave an empty chat behind.
    if (options.tools !== undefined) await useOnlyToolsets(client, options.tools)
    const project = options.project === undefined ? undefined : await projectNamed(client, options.project)
    const session = await chats.open({
      id: options.session === undefined ? undefined : (await chatNamed(client, options.session)).id,
      approval,
      workspace:
        (options.session === undefined && !project?.folder) || options.cwd !== undefined ? cwd : undefined,
      projectId: project?.id,
      modelId: options.model === undefined ? undefined : await modelIdOf(client, options.model),
      temporary: options.temporary,
    })
    if (options.tools !== undefined) await useOnlyToolsets(client, options.tools, session.id)
    const hashes = await attachOrLeave(client, session, options.attach ?? [], terminal)
    if (question !== undefined) {
      sayUnattached(question, session.workspace, terminal)
      const skills = question.startsWith('/') ? await skillsOf(client, session) : []
      const isSkill = skills.some(({ name }) => question.split(/\s/, 1)[0] === `/${name}`)
      const named = isSkill ? undefined : await templateIn(client, question)
      const filled = named ? await fillIn(client, session, named) : question
      return await sendAndFollow(client, session.id, withPiped(filled ?? question, piped), screen, hashes)
    }
    await converse({ client, chats, session, screen, attached: { sessionId: session.id, hashes } }, hello)
    return true
  } finally {
    terminal.close()
    await chats.endTemporary()
    chats.giveBack()
    await close()
  }
}

/**
 * Say that an @ attaches nothing with -q, and what does. A script may put a stranger’s words into a question,
 * and those must not choose files.
 */
function sayUnattached(question: string, folder: string, terminal: Terminal): void {
  const { paths } = filesNamedIn(question, folder)
  if (paths.length === 0) return
  const names = paths.map(path => escapeInvisible(relative(folder, path)))
  terminal.say(
    `Not attached: ${names.join(', ')}. With -q, an @ attaches nothing; add ${names.map(name => `--attach ${name}`).join(' ')} for that.\n`,
  )
}

type Hello = Extract<AppEvent, { type: 'hello' }>

/** Report what is wrong with the home folder, such as a mistake in the configuration. */
async function sayNotices(client: HostClient, terminal: Terminal): Promise<Hello> {
  for await (const event of client['app.watch']({})) {
    if (event.type !== 'hello') break
    const notices = event.notices.map(({ text, fix }) => `${text} ${fix}`.trimEnd())
    for (const notice of notices) if (!isPrinted(notice)) terminal.say(`${notice}\n`)
    return event
  }
  throw new Error('The host did not say hello.')
}

/** Hold a conversation until the user leaves. */
async function converse(state: ChatState, hello: Hello): Promise<void> {
  const { terminal } = state.screen
  // Lines typed in a temporary chat are not added to the history.
  const { past, add } = openHistory(hello.home)
  const history: History = { past, add: text => state.session.temporary !== true && add(text) }
  if (state.session.temporary) terminal.say(`${TEMPORARY_IN_TERMINAL}\n`)
  const words = wordsOf(await skillsOf(state.client, state.session))
  terminal.learnFrom(history, () => words)
  terminal.completeFiles(word => completeFile(word, state.session.workspace))
  state.screen.aside = async line => {
    // A message with files needs its own turn.
    if (filesNamedIn(line, state.session.workspace).paths.length > 0) {
      terminal.say('A message with files is sent when this answer is done.\n')
      return 'waits'
    }
    return doAside(state, line)
  }
  await sayBanner(state, hello.version)
  for (;;) {
    const typed = await terminal.readLine()
    if (typed === undefined) return
    if (typed === '') continue
    try {
      const session = await doTyped(state, typed)
      if (session === null) return
      state.session = session
    } catch (error) {
      if (!(error instanceof Fault) || error.code === 'disconnected') throw error
      terminal.say(`${error.message}\n`)
    }
  }
}
