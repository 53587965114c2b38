import type { TurnSubject } from '../../../../shared/contract/chats/session.ts'
import { ORIGIN_RULES } from '../../../../shared/origin-rules.ts'
import type { Guide } from '../../../agent/guide.ts'
import { createGuide } from '../../../builtin/create-guide.ts'
import { readNames } from '../../../builtin/guide/paths-in-requests.ts'
import type { KnownEntry, Scene } from '../../../builtin/guide/guide-scene.ts'
import type { Encode } from '../../../builtin/guide/second-opinion.ts'
import type { Store } from '../../../db/store.ts'
import { zoneOfComputer } from '../../../lib/time-zone.ts'
import type { MemoryForChat } from '../../../memory/open-memory.ts'
import type { TurnSources } from '../../../runs/turn-setup.ts'
import type { LibrarySkill } from '../../../skills/skill-types.ts'

type Needs = {
  sources: Pick<TurnSources, 'registry' | 'toolsets' | 'now'>
  /** Return the memory that a chat may know; undefined if it uses none. */
  knownIn(this: void, session: TurnSubject): MemoryForChat | undefined
  /** Return the skills that a chat can load with these tools. */
  loadableIn(this: void, session: TurnSubject, tools: readonly string[]): Promise<readonly LibrarySkill[]>
  messages: Pick<Store['messages'], 'history'>
  encode: Encode
  report(this: void, error: unknown): void
}

/** Maximum number of newest messages to search for the user's words; far more than any context holds. */
const MOST_HEARD = 2_000

/** The guide's own way to ask the user; the model does not know this tool. */
const ASKING = 'ask_user'

/** The guide for each turn of a model that needs one, with facts from chat, folder and notebook. */
export function guideFeature({ sources, knownIn, loadableIn, messages, encode, report }: Needs) {
  const { registry } = sources

  function entriesOf(session: TurnSubject): KnownEntry[] {
    const known = knownIn(session)
    if (!known) return []
    const of = (part: keyof Omit<MemoryForChat, 'capacity'>, target: KnownEntry['target']): KnownEntry[] =>
      known[part].filter(entry => entry.blocked === null).map(({ text }) => ({ text, target }))
    return [...of('user', 'user'), ...of('project', 'project'), ...of('notes', 'memory')]
  }

  async function readScene(session: TurnSubject, tools: readonly string[]): Promise<Scene> {
    const entries = entriesOf(session)
    const [names, skills] = await Promise.all([
      readNames(session.workspace),
      tools.includes('skill_view') ? loadableIn(session, tools) : [],
    ])
    const newest = messages.history(session.id, { most: MOST_HEARD })
    const said = newest.flatMap(each => (each.role === 'user' ? [each.text] : []))
    return {
      ...names,
      entries,
      skills: skills.map(({ skill }) => skill.name),
      known: {
        now: new Date(sources.now()),
        zone: zoneOfComputer().zone,
        folder: session.workspace,
        entries: entries.map(({ text }) => text),
        said: said.slice(0, -1),
        tools,
      },
    }
  }

  return {
    /** Return the facts that a message is interpreted with, given these tools. */
    sceneFor: readScene,
    guideFor(this: void, session: TurnSubject, offered: readonly string[]): Guide {
      const { asks } = ORIGIN_RULES[session.origin]
      const isOn = (tool: string) => sources.toolsets?.whyOff(session.id, tool) === undefined
      return createGuide({
        registry,
        scene: () =>
          readScene(
            session,
            offered.filter(tool => tool !== ASKING && isOn(tool)),
          ),
        mayAsk: asks === 'person' && session.approval !== 'none' && offered.includes(ASKING) && isOn(ASKING),
        encode,
        report,
      })
    },
  }
}
