import { homedir } from 'node:os'
import packageJson from '../../../../../package.json' with { type: 'json' }
import { handoverName } from '../../../../shared/words/agent-names.ts'
import type { Area } from '../../../../shared/contract/areas.ts'
import type { AppEvent } from '../../../../shared/contract/app.ts'
import type { HostHandlers } from '../../../../shared/contract/index.ts'
import type { ConfigHandle } from '../../../config/load.ts'
import type { GivenRef } from '../../../db/connections/agent-tables.ts'
import type { Store } from '../../../db/store.ts'
import type { Feed } from '../../../feed/open-feed.ts'
import { proposeFromOutside } from '../../../learning/proposals/propose-from-chat.ts'
import type { Broadcast } from '../../../lib/topic.ts'
import { rootFolder } from '../../../lib/disk/shipped-files.ts'
import type { Memory } from '../../../memory/open-memory.ts'
import type { ChatSearch } from '../../../chats/search/open-search.ts'
import { readSkillText } from '../../../skills/files/read-skill.ts'
import type { Library, SkillEditor } from '../../../skills/skill-types.ts'
import { CONNECTORS } from '../../../other-agents/connect/known-programs.ts'
import { findNode, labelOf, startedHow, terminalLaunch } from '../../../other-agents/connect/launch.ts'
import { openConnect } from '../../../other-agents/connect/open-connect.ts'
import { openSpool } from '../../../other-agents/inbox/open-spool.ts'
import { openOtherAgents } from '../../../other-agents/open-other-agents.ts'
import { sharedSkills } from '../knowledge/shared-skills.ts'

type Needs = {
  home: string
  workspace: string
  config: ConfigHandle
  store: Store
  events: Pick<Broadcast<AppEvent>, 'listen'>
  feed: Pick<Feed, 'tell'>
  memory: { notebook: Memory }
  skills: { library: Library; editor: SkillEditor }
  search: { hits: ChatSearch['hits'] }
  network: { isLocked(): boolean }
  learning: { foreignChanged(): void }
  /**
   * Whether to read other programs' records in the background; not in terminal commands, which end too soon.
   */
  isCarried: boolean
  now(): number
  remark(text: string): void
  report(error: unknown): void
}

/** The areas whose changes affect what other programs may read. */
const SHARED: ReadonlySet<string> = new Set<Area>(['memory', 'skills', 'network', 'agents', 'project'])

/** Other programs with agents, which read memory, chats and skills as far as the user allows each. */
export function agentsFeature({
  home,
  workspace,
  config,
  store,
  events,
  feed,
  memory,
  skills,
  search,
  network,
  learning,
  isCarried,
  now,
  remark,
  report,
}: Needs) {
  const { notebook } = memory
  const { library, editor } = skills
  const changed = () => feed.tell('agents')
  const propose = proposeFromOutside({
    store,
    memory: notebook,
    library,
    editor,
    now,
  })
  const agents = openOtherAgents({
    store: store.agents,
    things: {
      entries: () => notebook.view().entries,
      search: (query, limit, signal) => search.hits(signal, { query }, limit),
      sourcesOf: messageId => store.marks.ofMessages([messageId]).map(({ source }) => source),
      async skills() {
        await library.caughtUp()
        return library
          .forChat(workspace)
          .map(({ skill: { id, name, description } }) => ({ id, name, description }))
      },
      stepsOf(id) {
        const text = library.read(id)
        return text === undefined ? undefined : readSkillText(text, id).body
      },
      propose: (...given) =>
        config.current.memory.learn_from_chats
          ? propose(...given)
          : { refused: 'The user has switched off saving to memory.' },
    },
    isLocked: network.isLocked,
    tell,
    onChange: changed,
    now,
  })

  /** Return the current name of something that a program was given. */
  function tell({ kind, id }: GivenRef): string {
    if (kind === 'chat') {
      const session = store.sessions.get(id)
      return session ? `the chat “${session.title || 'without a title'}”` : 'a chat that is gone'
    }
    if (kind === 'skill') {
      const known = library.get(id)
      return known ? `the skill “${known.skill.name}”` : 'a skill that is gone'
    }
    if (kind === 'proposal')
      return store.learning.proposal(id) ? 'a proposal in Activity' : 'a proposal that is gone'
    const where = kind === 'user' ? 'About you' : 'Notes'
    const entry = notebook.view().entries.find(each => each.id === id)
    return entry ? `${where}: ${entry.text}` : `${where}: an entry that is gone`
  }

  const places = { user: homedir(), home, env: process.env }
  const started = startedHow(rootFolder())
  const node = findNode(started, places)
  const connect = openConnect({
    connectors: CONNECTORS,
    places,
    terminal: terminalLaunch(started, node),
    node,
    label: labelOf(places),
    version: packageJson.version,
    foreign: store.foreign,
    keys: agents.keys,
    agent: store.agents.get,
    memory() {
      const { entries, projects } = notebook.view()
      return { entries, projects }
    },
    skills: () => sharedSkills(library, workspace),
    isLocked: network.isLocked,
    onChange: changed,
    now,
    report,
  })
  const listening = new AbortController()
  void (async () => {
    for await (const event of events.listen(listening.signal))
      if (event.type === 'changed' && event.areas.some(area => SHARED.has(area))) connect.changed()
  })()

  const spool = openSpool({
    home,
    store: store.foreign,
    allows: program =>
      connect.mayLearn(program) ??
      store.agents
        .list()
        .some(({ name, allowed, may }) => allowed && may.learn && handoverName(name) === program),
    isCarried,
    onChange() {
      changed()
      learning.foreignChanged()
    },
    now,
    remark,
    report,
  })
  const handlers = {
    ...agents.handlers,
    ...connect.handlers,
    async 'connect.list'(...given) {
      const list: HostHandlers['connect.list'] = connect.handlers['connect.list']
      const { connections } = await list(...given)
      return {
        connections: connections.map(each => ({ ...each, note: each.note || spool.noteOf(each.program) })),
      }
    },
  } satisfies Partial<HostHandlers>
  return {
    handlers,
    /** Remove texts from the spooled events of other programs. */
    forgetTexts: spool.forget,
    async close() {
      listening.abort()
      await spool.close()
      await connect.close()
    },
  }
}
