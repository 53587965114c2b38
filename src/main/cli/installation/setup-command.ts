import type { HostClient } from '../../../shared/contract/index.ts'
import { LearningMode } from '../../../shared/contract/learned/learning.ts'
import { Fault } from '../../../shared/rpc.ts'
import { absolutePath } from '../command-line.ts'
import { PROGRAMS } from '../other-programs/connect-command.ts'
import { withClient } from '../open-client.ts'
import { stripControls } from '../output/terminal-text.ts'
import { createTerminal, type Terminal } from '../interactive/ask-at-terminal.ts'

export type SetupOptions = {
  home?: string
  model?: string
  server?: string
  serverModel?: string
  anthropic?: true
  learning?: string
  about?: string
  agent?: string
}

/**
 * Set Talaria up in a terminal. Asks for missing options if a user can answer; an empty line skips a
 * question.
 */
export async function setupCommand(options: SetupOptions): Promise<void> {
  if (options.agent !== undefined) return await printAgent(options.agent, options.home)
  const terminal = createTerminal(process.stdin.isTTY)
  try {
    await withClient(options.home, async client => {
      const ask = process.stdin.isTTY ? asking(terminal) : async () => ''
      await showMachine(client)
      await chooseModel(client, options, ask)
      await chooseLearning(client, options, ask)
      await introduce(client, options, ask)
      await client['setup.finish']({})
      say('Done. “npm run -s talaria -- chat” starts a chat, “npm start” opens the window.')
    })
  } finally {
    terminal.close()
  }
}

/** Print the same as `connect --print`. Hermes Agent has this option in its setup. */
async function printAgent(agent: string, home: string | undefined): Promise<void> {
  const { connectFrom } = await import('../other-programs/connect-actions.ts')
  if (!PROGRAMS.includes(agent))
    throw new Fault('bad_input', `Unknown program “${agent}”. Use one of these: ${PROGRAMS.join(', ')}.`)
  await connectFrom(agent, { print: true, ...(home !== undefined && { home }) })
}

type Ask = (question: string) => Promise<string>

const asking =
  (terminal: Terminal): Ask =>
  async question => {
    terminal.say(`\n${question}`)
    return (await terminal.readLine()) ?? ''
  }

async function showMachine(client: HostClient): Promise<void> {
  const { words } = await client['machine.look']({})
  say(words)
}

/**
 * Choose the model of new chats. After an unusable answer the question is repeated; an unusable option throws
 * a Fault.
 */
async function chooseModel(client: HostClient, options: SetupOptions, ask: Ask): Promise<void> {
  if (options.server !== undefined) return addServer(client, options)
  if (options.model !== undefined) return addFile(client, options.model)
  for (;;) {
    const path = await ask(
      'A model: the path of a .gguf file, an address such as http://127.0.0.1:11434/v1, or Enter to skip.',
    )
    if (path === '') return say('Skipped. The built-in demo model answers until you add one.')
    try {
      return /^https?:\/\//i.test(path) ? await askServer(client, path, ask) : await addFile(client, path)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      say(error.message)
    }
  }
}

async function addFile(client: HostClient, path: string): Promise<void> {
  const model = await client['model.add']({ path: absolutePath(path) })
  await client['model.setDefault']({ id: model.id })
  const fit = await client['model.fit']({ id: model.id })
  const warning = fit.label === 'too_big' ? ' It is too large for the memory that is free now.' : ''
  say(`New chats use ${model.name}.${warning}`)
}

async function askServer(client: HostClient, baseUrl: string, ask: Ask): Promise<void> {
  const apiKey = await ask(
    'The key of the server, or Enter if it needs none (the key is not stored in the settings):',
  )
  const protocol = /anthropic/i.test(baseUrl) ? 'anthropic' : 'openai'
  const check = await client['model.tryServer']({ protocol, baseUrl, apiKey })
  if (!check.ok) throw new Fault('not_ready', `${check.text} ${check.fix}`.trim())
  const names = check.models.map(each => each.id)
  const first = names[0] ?? ''
  const said = await ask(
    `Which model? ${names.slice(0, 20).join(', ') || '(the server does not list any)'}${first ? ` [${first}]` : ''}`,
  )
  await addServer(
    client,
    { server: baseUrl, serverModel: said || first, ...(protocol === 'anthropic' && { anthropic: true }) },
    apiKey,
  )
}

async function addServer(
  client: HostClient,
  { server = '', serverModel = '', anthropic }: SetupOptions,
  apiKey = process.env['TALARIA_SERVER_KEY'] ?? '',
): Promise<void> {
  if (serverModel === '') throw new Fault('bad_input', 'Name a model of the server (--server-model).')
  const model = await client['model.addServer']({
    name: serverModel.slice(0, 60),
    baseUrl: server,
    model: serverModel,
    apiKey,
    protocol: anthropic ? 'anthropic' : 'openai',
  })
  await client['model.setDefault']({ id: model.id })
  say(`New chats use ${model.name}. What you write there is sent to ${server}.`)
}

async function chooseLearning(client: HostClient, { learning }: SetupOptions, ask: Ask): Promise<void> {
  const said =
    learning ??
    (await ask(
      'How should Talaria learn from chats? “ask” before saving (Enter), “save” without asking, or “off”.',
    ))
  if (said === '') return
  const mode = LearningMode.safeParse(said)
  if (!mode.success) throw new Fault('bad_input', `Unknown answer “${said}”. Use ask, save or off.`)
  await client['settings.set']({ path: 'learning.mode', value: mode.data })
}

async function introduce(client: HostClient, { about }: SetupOptions, ask: Ask): Promise<void> {
  const text = about ?? (await ask('A sentence about you for every chat, or Enter to skip:'))
  if (text === '') return
  await client['memory.add']({ target: 'user', text })
  say(`Remembered: ${text}`)
}

const say = (text: string) => void process.stderr.write(`${stripControls(text)}\n`)
