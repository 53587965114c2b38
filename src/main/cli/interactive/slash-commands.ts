import { basename } from 'node:path'
import type { HostClient } from '../../../shared/contract/index.ts'
import type { Session } from '../../../shared/contract/chats/session.ts'
import type { Skill } from '../../../shared/contract/learned/skills.ts'
import { isThinkingMark } from '../../../shared/words/model-words.ts'
import { Fault } from '../../../shared/rpc.ts'
import { nearNames } from '../../lib/words/similarity.ts'
import { agentsCommand } from './agents-command.ts'
import { attachFiles, stillAttached } from './attach-files.ts'
import { branchCommands } from './branch-commands.ts'
import { deciderCommand } from './decider-command.ts'
import {
  compactAndFollow,
  modelIdOf,
  modeOf,
  pickOffered,
  sayOffered,
  sendAndFollow,
  type ChatCommand,
  type ChatState,
} from './follow-run.ts'
import { fillIn, templateIn } from './fill-in-terminal.ts'
import { learnNamedText } from '../learning/learn-command.ts'
import { filesNamedIn } from './named-files.ts'
import { placesOf } from '../memory/memory-actions.ts'
import { rememberCommands } from './remember-commands.ts'
import { sayModelNote } from './say-unused.ts'
import { showEntries } from '../memory/show-memory.ts'
import { escapeInvisible, many, showTable, stripControls, wrapWords } from '../output/terminal-text.ts'
import { webCommand } from '../web/web-in-chat.ts'

const leave = async () => null

const COMMANDS: Readonly<Record<string, ChatCommand>> = {
  '/help': {
    about: 'list what you can type here',
    async run(state) {
      sayTable(state, [
        ...Object.entries(COMMANDS).map(
          ([name, { takes = '', about }]) => [`${name} ${takes}`.trim(), about] as const,
        ),
        ['/<skill> <text>', 'use a skill for the text after it'],
        ['1, 2 …', 'choose what the newest answer offers'],
        ['\\ at the end', 'continues in the next line, like Alt+Enter'],
        ['Ctrl-C', 'stops an answer, or skips the review before a summary; twice leaves'],
      ])
      return state.session
    },
  },
  '/new': {
    about: 'start a new chat',
    run: ({ chats, session: { workspace, approval, modelId } }) =>
      chats.open({ workspace, approval, modelId }),
  },
  '/clear': {
    about: 'clear the screen; the chat continues',
    async run({ session, screen: { terminal } }) {
      if (terminal.activity) process.stderr.write('\u001b[2J\u001b[3J\u001b[H')
      return session
    },
  },
  ...branchCommands,
  '/model': {
    takes: '[id]',
    about: 'list the models, or switch to one of them or to a GGUF file',
    async run({ client, session, screen: { terminal } }, argument) {
      const { id, modelId } = session
      if (argument !== '') {
        const changed = await client['session.update']({ id, modelId: await modelIdOf(client, argument) })
        // In a chat without messages, the note is printed before the first message.
        if (changed.turnCount > 0) await sayModelNote(client, changed.modelId, terminal)
        return changed
      }
      const { models } = await client['model.list']({})
      for (const each of models) {
        const problem = each.problem === null ? '' : ` (${each.problem})`
        terminal.say(`${each.id === modelId ? '*' : ' '} ${each.id}  ${each.name}${problem}\n`)
      }
      return session
    },
  },
  '/skills': {
    about: 'list the skills of this chat',
    async run(state) {
      const skills = await skillsOf(state.client, state.session)
      if (skills.length === 0) state.screen.terminal.say('This chat has no skills.\n')
      else
        sayTable(
          state,
          skills.map(({ name, description }) => [`/${name}`, oneSentence(description)]),
        )
      return state.session
    },
  },
  '/templates': {
    about: 'list the prompt templates; /NAME fills one in and sends it',
    async run(state) {
      const { templates, folder } = await state.client['template.list']({})
      sayTable(
        state,
        templates.map(({ name, text, problem }) => [
          `/${stripControls(name)}`,
          problem === null ? oneSentence(text) : `cannot be used: its file ${problem}`,
        ]),
      )
      state.screen.terminal.say(
        `${wrapWords(`Put your own into ${folder}/NAME.md, with variables such as {{language}}.`, columnsOf())}\n`,
      )
      return state.session
    },
  },
  '/attach': {
    takes: '<file>',
    about: 'attach a file to your next message; @file in a message attaches a file of this folder',
    async run(state, path) {
      const { client, session, screen } = state
      if (path === '') throw new Fault('bad_input', 'Name a file: /attach FILE')
      const before = state.attached?.sessionId === session.id ? state.attached.hashes : []
      const hashes = await attachFiles(client, session.id, [path], screen.terminal)
      state.attached = { sessionId: session.id, hashes: [...new Set([...before, ...hashes])] }
      screen.terminal.say('Attached. The file is sent with your next message.\n')
      return session
    },
  },
  '/memory': {
    about: 'show what Talaria remembers',
    async run({ client, session, screen: { terminal } }) {
      terminal.say(`${showEntries(placesOf(await client['memory.view']({})))}\n`)
      return session
    },
  },
  ...rememberCommands,
  '/personality': {
    takes: '[name]',
    about: 'list the answering styles, or use one in this chat; “off” turns it off',
    async run(state, argument) {
      const { client, session, screen } = state
      if (argument !== '') {
        const personality = argument === 'off' ? '' : argument
        const changed = await client['session.update']({ id: session.id, personality })
        const model = (await client['model.list']({})).models.find(({ id }) => id === changed.modelId)
        const says = changed.personality === '' ? 'The style is off.' : `Style: ${changed.personality}.`
        const effect =
          changed.personality !== '' && model?.demo ? BUILTIN_STYLE : 'This applies from the next answer.'
        const cost = changed.messageCount > 0 && !model?.demo ? ' The model has to read this chat again.' : ''
        screen.terminal.say(`${wrapWords(`${says} ${effect}${cost}`, columnsOf())}\n`)
        return changed
      }
      const { personalities } = await client['session.personalities']({})
      sayTable(
        state,
        personalities.map(({ name, text, problem }) => [
          `${name === session.personality ? '*' : ' '} ${name}`,
          problem === null ? oneSentence(text) : `cannot be used: its file ${problem}`,
        ]),
      )
      return session
    },
  },
  '/compact': {
    takes: '[focus]',
    about: 'summarise the older messages for the model; the summary keeps the focus',
    async run({ client, session, screen }, focus) {
      await compactAndFollow(client, session.id, focus, screen)
      return session
    },
  },
  '/learn': {
    takes: '<path>',
    about: 'propose skills and notes from a text file or a folder',
    async run({ client, session }, path) {
      if (path === '') throw new Fault('bad_input', 'Name a folder or a text file: /learn docs/release.md')
      await learnNamedText(client, session.id, path)
      return session
    },
  },
  '/schedule': {
    takes: '[text]',
    about: 'run a task automatically in this folder, or list the schedules',
    async run({ client, session, screen: { terminal } }, text) {
      const { describeSchedule, inShort } = await import('../unattended/schedule-actions.ts')
      if (text !== '') {
        const { workspace: folder, modelId } = session
        const added = await client['schedule.add']({ text, folder, modelId })
        terminal.say(`${describeSchedule(added)}\n`)
        return session
      }
      const { schedules } = await client['schedule.list']({})
      if (schedules.length === 0)
        terminal.say('No schedules. Add one: /schedule every weekday at 8 summarise my notes\n')
      for (const each of schedules) terminal.say(`${inShort(each)}\n`)
      return session
    },
  },
  '/agents': agentsCommand,
  '/decider': deciderCommand,
  '/web': webCommand,
  '/approve': {
    takes: '<mode>',
    about: 'what runs without asking: ask, reads, all or none',
    async run({ client, chats, session: { id } }, mode) {
      await chats.lend(id, modeOf(mode, true))
      return client['session.get']({ id })
    },
  },
  '/exit': { about: 'leave, like “exit” and Ctrl-D', run: leave },
}
const LEAVE = new Set(['exit', 'quit', '/quit', '/exit'])

/**
 * Run a typed command, or send a typed message to the agent. Resolves to the chat to continue with; null
 * leaves.
 */
export async function doTyped(state: ChatState, typed: string): Promise<Session | null> {
  const { client, session, screen } = state
  if (LEAVE.has(typed)) return null
  const [, name = '', argument = ''] = /^(\/\S*)\s*([^]*)$/.exec(typed) ?? []
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command) return command.run(state, argument.trim())
  // A slash may also start a path, or a word that turns thinking on or off. Those are for the agent.
  if (/^\/[\p{L}\d._-]*$/u.test(name) && !isThinkingMark(name)) {
    const skills = (await skillsKnownIn(client, session)).map(skill => `/${skill.name}`)
    if (!skills.includes(name)) {
      const named = await templateIn(client, typed)
      if (named) {
        const filled = await fillIn(client, session, named, screen.terminal.askText)
        if (filled === undefined) screen.terminal.say('Nothing was sent.\n')
        else {
          screen.terminal.say(`${stripControls(filled)}\n`)
          await sendAndFollow(client, session.id, filled, screen)
        }
        return session
      }
      const [near] = nearNames(name, [...Object.keys(COMMANDS), ...skills], 1)
      const hint = near === undefined ? '' : ` Did you mean ${near}?`
      screen.terminal.say(
        `There is no ${stripControls(name)}.${hint} /help lists the commands, /skills the skills, /templates the templates.\n`,
      )
      return session
    }
  }
  if ((await pickOffered(client, session.id, typed, screen)) !== undefined) return session
  const { terminal } = screen
  const before = state.attached?.sessionId === session.id ? state.attached.hashes : []
  const attached = await stillAttached(client, session.id, before, terminal)
  const named = filesNamedIn(typed, session.workspace)
  const hashes = await attachFiles(client, session.id, named.paths, terminal)
  for (const path of named.paths) terminal.say(`Attached ${escapeInvisible(basename(path))}.\n`)
  // Keep the attachments if the message cannot be sent.
  state.attached = { sessionId: session.id, hashes: [...new Set([...attached, ...hashes])] }
  await sendAndFollow(client, session.id, named.text, screen, state.attached.hashes)
  state.attached = undefined
  return session
}

/** The words that Tab completes in a chat. */
export const wordsOf = (skills: readonly Skill[]): string[] => [
  ...Object.keys(COMMANDS),
  ...skills.map(({ name }) => `/${name}`),
]

/** The skills that this chat can use. */
export async function skillsOf(client: HostClient, session: Session): Promise<Skill[]> {
  return (await skillsKnownIn(client, session)).filter(({ unavailable }) => unavailable === null)
}

/** The skills of this chat, including those whose tools are off. */
const skillsKnownIn = async (client: HostClient, { id }: Session): Promise<Skill[]> =>
  (await client['skills.forChat']({ sessionId: id })).skills

const DEMO = 'the tiny built-in demo; add a larger one for real work (talaria models --help)'
const BUILTIN_STYLE =
  'The built-in model answers without styles. The style applies once the chat has another model (/model).'
const MODES = {
  chat_only: 'none in this chat',
  ask: 'you are asked before anything changes (/approve)',
  reads: 'commands that can only read run, anything else asks you (/approve)',
  full: 'all run without asking (/approve)',
  none: 'calls that would ask are denied (/approve)',
} as const

/** Print the banner: the model, the folder, the tools and skills, and how to leave. */
export async function sayBanner(state: ChatState, version: string): Promise<void> {
  const { client, session, screen } = state
  const { models } = await client['model.list']({})
  const model = models.find(({ id }) => id === session.modelId)
  const skills = await skillsOf(client, session)
  screen.terminal.say(`Talaria ${version}\n`)
  sayTable(state, [
    ['Model', model?.demo ? DEMO : (model?.name ?? session.modelId)],
    ['Folder', session.workspace],
    ['Tools', await toolsText(state)],
    ['Skills', skills.length === 0 ? 'none' : `${many(skills.length, 'skill')} (/skills)`],
  ])
  screen.terminal.say(`${wrapWords('/help lists the commands, Ctrl-D leaves.', columnsOf())}\n`)
  await sayOffered(client, session.id, screen.terminal)
}

/** The toolsets that are on, and which calls run without asking. */
async function toolsText({ client, session: { id, approval } }: ChatState): Promise<string> {
  if (approval === 'chat_only') return MODES.chat_only
  const { toolsets } = await client['toolset.list']({ sessionId: id })
  const on = toolsets.filter(({ state }) => state !== 'off').map(({ name }) => name)
  return on.length === 0 ? 'none are on (talaria tools)' : `${on.join(', ')}; ${MODES[approval]}`
}

const sayTable = ({ screen: { terminal } }: ChatState, rows: readonly (readonly [string, string])[]) =>
  terminal.say(`${showTable(rows, columnsOf())}\n`)

const columnsOf = () => process.stderr.columns || 80
const oneSentence = (text: string) => text.replace(/\s+/g, ' ').replace(/(?<=[.!?]) .*$/, '')
