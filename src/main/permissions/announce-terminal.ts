import type { Notice } from '../../shared/contract/app.ts'
import type { HostHandlers } from '../../shared/contract/index.ts'
import { Fault } from '../../shared/rpc.ts'
import { ruleName } from '../../shared/rule-text.ts'

const VERBS = { never: 'forbids', ask: 'always asks about', allow: 'always allows' } as const

/**
 * The handlers for terminals of this user: what they change about rights is also shown in every open window, because it may be
 * a program that uses a terminal, and not the user.
 */
export function announceTerminalChanges(
  handlers: HostHandlers,
  publish: (notice: Notice) => void,
): HostHandlers {
  const tell = (id: string, text: string) =>
    publish({
      id: `terminal-${id}`,
      level: 'warning',
      text,
      fix: `If that was not you, undo it ${id.startsWith('mcp-') ? 'on Connections' : 'in Settings'}.`,
    })
  /** A notice about one server never replaces a notice about another. */
  const tellOf = ({ name }: { name: string }, text: string) => tell(`mcp-${name}`, text)
  return {
    ...handlers,
    async 'permissions.add'(input, signal) {
      const rule = await handlers['permissions.add'](input, signal)
      tell('rules', `A rule was added in a terminal. It ${VERBS[rule.effect]} ${ruleName(rule)}.`)
      return rule
    },
    async 'permissions.remove'(input, signal) {
      const rule = await handlers['permissions.remove'](input, signal)
      tell('rules', `A rule was removed in a terminal. It ${VERBS[rule.effect]} ${ruleName(rule)}.`)
      return rule
    },
    async 'settings.set'(input, signal) {
      const setting = await handlers['settings.set'](input, signal)
      if (isAboutRights(input.path))
        tell(input.path, `“${setting.title}” was changed in a terminal, to ${JSON.stringify(setting.value)}.`)
      return setting
    },
    async 'settings.reset'(input, signal) {
      const done = await handlers['settings.reset'](input, signal)
      if (isAboutRights(input.path)) tell(input.path, `Settings were reset in a terminal: ${input.path}.`)
      return done
    },
    async 'toolset.switch'(input, signal) {
      const changed = await handlers['toolset.switch'](input, signal)
      if (input.on) tell('toolsets', `Toolsets were switched on in a terminal: ${input.names.join(', ')}.`)
      return changed
    },
    async 'mcp.put'(input, signal) {
      const state = await handlers['mcp.put'](input, signal)
      tellOf(state, `The MCP server ${state.name} was added in a terminal. It runs: ${state.shown}`)
      return state
    },
    async 'mcp.restore'(input, signal) {
      const state = await handlers['mcp.restore'](input, signal)
      tell('mcp', `The MCP server ${state.name} was brought back in a terminal.`)
      return state
    },
    async 'mcp.accept'(input, signal) {
      const state = await handlers['mcp.accept'](input, signal)
      const what = input.tool === undefined ? state.name : `${input.tool} of ${state.name}`
      tellOf(state, `In a terminal somebody agreed to the MCP server or tool ${what}.`)
      return state
    },
    async 'mcp.switch'(input, signal) {
      const state = await handlers['mcp.switch'](input, signal)
      const { tool = '', on, unasked, byShape } = input
      if (unasked)
        tellOf(state, `The tool ${tool} of ${state.name} was let run without a question, in a terminal.`)
      else if (byShape)
        tellOf(state, `The tool ${tool} of ${state.name} may have any text from now on, said a terminal.`)
      else if (on) tellOf(state, `Tools of the MCP server ${state.name} were switched on in a terminal.`)
      return state
    },
    async 'agents.add'(input, signal) {
      const added = await handlers['agents.add'](input, signal)
      publish({
        id: `terminal-agent-${added.agent.id}`,
        level: 'info',
        text: `A terminal made a connection for “${added.agent.name}”. It reads nothing before you allow it.`,
        fix: 'You do that on Connections, under Agents.',
      })
      return added
    },
    'agents.allow'(input, signal) {
      // Any program of this user can speak through a terminal, also the one that wants to read.
      if (input.on) throw new Fault('not_ready', 'A program is allowed in the window: Connections, Agents.')
      return handlers['agents.allow'](input, signal)
    },
    async 'session.update'(input, signal) {
      const session = await handlers['session.update'](input, signal)
      if (input.approval === 'full')
        tell(input.id, `A terminal gave full access to the chat “${session.title}”.`)
      return session
    },
    async *'session.lendMode'(input, signal) {
      if (input.approval === 'full') {
        const { title } = await handlers['session.get']({ id: input.id }, signal)
        tell(input.id, `A terminal uses the chat “${title}” with full access. It ends with the terminal.`)
      }
      yield* handlers['session.lendMode'](input, signal)
    },
  }
}

/** Settings that decide what runs without a question, and how. */
const isAboutRights = (path: string) => /^(approvals|terminal|network|toolsets|mcp)(\.|$)/.test(path)
