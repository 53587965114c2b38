import type { AppEvent, Notice } from '../../shared/contract/app.ts'
import type { HostHandlers } from '../../shared/contract/index.ts'
import { Fault } from '../../shared/rpc.ts'
import type { Broadcast } from '../lib/topic.ts'
import { ruleName } from '../../shared/words/permission-words.ts'

const VERBS = { never: 'forbids', ask: 'always asks about', allow: 'always allows' } as const

type Notices = { publish(notice: Notice): void; end(id: string): void }

/** Publish notices as events for windows. */
export const noticesOver = (events: Pick<Broadcast<AppEvent>, 'publish'>): Notices => ({
  publish: notice => events.publish({ type: 'notice', notice }),
  end: id => events.publish({ type: 'notice_ended', id }),
})

type Announced = { forTerminals: HostHandlers; forWindows: HostHandlers }

/**
 * Wrap the handlers for terminals and for windows. Changes of rights from a terminal are shown in every open
 * window, because a program and not the user may have made them. Undoing such a change ends its notice, so
 * the handlers for windows are wrapped too.
 */
export function announceTerminalChanges(handlers: HostHandlers, notices: Notices): Announced {
  const shown = new Set<string>()
  const publish = (notice: Notice) => {
    shown.add(notice.id)
    notices.publish(notice)
  }
  /** End a notice, if it was shown. */
  const end = (id: string): boolean => {
    const wasShown = shown.delete(id)
    if (wasShown) notices.end(id)
    return wasShown
  }
  const tell = (id: string, text: string) =>
    publish({
      id: `terminal-${id}`,
      level: 'warning',
      text,
      fix: id.startsWith('mcp-')
        ? 'If that was not you, undo it on Connections.'
        : 'If that was not you, undo it in Settings.',
    })
  /** The same calls, which also end the notices of the changes that they undo. */
  const undoing = {
    ...handlers,
    async 'permissions.remove'(input, signal) {
      const rule = await handlers['permissions.remove'](input, signal)
      end(`terminal-rule-${rule.id}`)
      return rule
    },
    async 'settings.set'(input, signal) {
      const setting = await handlers['settings.set'](input, signal)
      end(`terminal-${input.path}`)
      return setting
    },
    async 'settings.reset'(input, signal) {
      const done = await handlers['settings.reset'](input, signal)
      for (const id of shown)
        if (id === `terminal-${input.path}` || id.startsWith(`terminal-${input.path}.`)) end(id)
      return done
    },
    async 'session.update'(input, signal) {
      const session = await handlers['session.update'](input, signal)
      if (session.approval !== 'full') end(`terminal-${input.id}`)
      return session
    },
    async 'agents.allow'(input, signal) {
      const agent = await handlers['agents.allow'](input, signal)
      end(`terminal-agent-${input.id}`)
      return agent
    },
    async 'agents.remove'(input, signal) {
      const done = await handlers['agents.remove'](input, signal)
      end(`terminal-agent-${input.id}`)
      return done
    },
  } satisfies HostHandlers
  /** A notice about one server never replaces a notice about another. */
  const tellOf = ({ name }: { name: string }, text: string) => tell(`mcp-${name}`, text)
  const forTerminals: HostHandlers = {
    ...undoing,
    async 'permissions.add'(input, signal) {
      const rule = await handlers['permissions.add'](input, signal)
      tell(`rule-${rule.id}`, `A rule was added in a terminal. It ${VERBS[rule.effect]} ${ruleName(rule)}.`)
      return rule
    },
    async 'permissions.remove'(input, signal) {
      const rule = await handlers['permissions.remove'](input, signal)
      // A rule that a terminal added and then removed needs no notice.
      if (end(`terminal-rule-${rule.id}`)) return rule
      tell('rules', `A rule was removed in a terminal. It ${VERBS[rule.effect]} ${ruleName(rule)}.`)
      return rule
    },
    async 'settings.set'(input, signal) {
      const setting = await undoing['settings.set'](input, signal)
      if (isAboutRights(input.path))
        tell(input.path, `“${setting.title}” was changed in a terminal, to ${JSON.stringify(setting.value)}.`)
      return setting
    },
    async 'settings.reset'(input, signal) {
      const done = await undoing['settings.reset'](input, signal)
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
      tell('mcp', `The MCP server ${state.name} was restored in a terminal.`)
      return state
    },
    async 'mcp.accept'(input, signal) {
      const state = await handlers['mcp.accept'](input, signal)
      const what = input.tool === undefined ? state.name : `${input.tool} of ${state.name}`
      tellOf(state, `The MCP server or tool ${what} was accepted in a terminal.`)
      return state
    },
    async 'mcp.switch'(input, signal) {
      const state = await handlers['mcp.switch'](input, signal)
      const { tool = '', on, unasked, byShape } = input
      if (unasked)
        tellOf(state, `The tool ${tool} of ${state.name} was allowed in a terminal to run without asking.`)
      else if (byShape)
        tellOf(state, `The tool ${tool} of ${state.name} was allowed in a terminal to receive any text.`)
      else if (on) tellOf(state, `Tools of the MCP server ${state.name} were switched on in a terminal.`)
      return state
    },
    async 'agents.add'(input, signal) {
      const added = await handlers['agents.add'](input, signal)
      publish({
        id: `terminal-agent-${added.agent.id}`,
        level: 'info',
        text: `A connection for “${added.agent.name}” was made in a terminal. That program can read nothing until you allow it.`,
        fix: 'Allow it on Connections, under Agents.',
      })
      return added
    },
    'agents.allow'(input, signal) {
      // Any program of this user can speak through a terminal, even the one that asks for access.
      if (input.on) throw new Fault('not_ready', 'A program is allowed in the window: Connections, Agents.')
      return undoing['agents.allow'](input, signal)
    },
    async 'session.update'(input, signal) {
      const session = await undoing['session.update'](input, signal)
      if (input.approval === 'full')
        tell(input.id, `The chat “${session.title}” was given full access in a terminal.`)
      return session
    },
    async *'session.lendMode'(input, signal) {
      if (input.approval === 'full') {
        const { title } = await handlers['session.get']({ id: input.id }, signal)
        tell(
          input.id,
          `A terminal is using the chat “${title}” with full access, which ends when that terminal closes.`,
        )
      }
      try {
        yield* handlers['session.lendMode'](input, signal)
      } finally {
        end(`terminal-${input.id}`)
      }
    },
  }
  return { forTerminals, forWindows: undoing }
}

/** Whether a setting decides what runs without a question, and how. */
const isAboutRights = (path: string) => /^(approvals|terminal|network|toolsets|mcp)(\.|$)/.test(path)
