import packageJson from '../../../../../package.json' with { type: 'json' }
import type { AppEvent } from '../../../../shared/contract/app.ts'
import { skillKeysStep } from '../../../agent/steps/command-steps.ts'
import type { Session } from '../../../../shared/contract/chats/session.ts'
import type { PromptSection } from '../../../agent/prompt.ts'
import type { ConfigHandle } from '../../../config/load.ts'
import type { KnownKey } from '../../../config/known-keys.ts'
import type { Secrets } from '../../../config/secrets.ts'
import { findOnPath } from '../../../confinement/probe-confinement.ts'
import type { Store } from '../../../db/store.ts'
import type { Feed } from '../../../feed/open-feed.ts'
import type { Broadcast } from '../../../lib/topic.ts'
import { bundledSkills } from '../../../lib/disk/shipped-files.ts'
import { estimateTokens } from '../../../../shared/text/estimate-tokens.ts'
import { proposeFromChat } from '../../../learning/proposals/propose-from-chat.ts'
import type { Memory } from '../../../memory/open-memory.ts'
import type { Network } from '../../../net/create-network.ts'
import { openSkills } from '../../../skills/open-skills.ts'
import { indexTokenBudget, skillsSection } from '../../../skills/prompt-index.ts'
import { skillSetupHandlers, findTurnKeys, skillKeyName } from '../../../skills/setup-handlers.ts'
import { skillHandlers, skillImportHandlers, YOU } from '../../../skills/skill-handlers.ts'
import type { Projects } from '../../../projects/open-projects.ts'
import type { StepSource } from '../../../runs/turn-runner.ts'
import { offeredBy, type Registry } from '../../../tools/registry/registry.ts'
import { skillTools } from '../../../skills/tools/skill-tools.ts'

type Needs = {
  home: string
  workspace: string
  /** The folder of the bundled skills; the default is the one next to the code. */
  bundled: string | undefined
  config: ConfigHandle
  secrets: Secrets
  store: Store
  network: Pick<Network, 'begin'> & { variables(): NodeJS.ProcessEnv }
  registry: Registry
  memory: { notebook: Memory }
  projects: Pick<Projects, 'of'>
  models: Pick<Parameters<typeof skillImportHandlers>[0], 'asking'>
  events: Broadcast<AppEvent>
  feed: Pick<Feed, 'tell'>
  now(): number
  report(error: unknown): void
}

/** How many messages of a chat to search for the calls that a skill was made from. */
const MOST_WORK = 500

/** The library of skills, its editor and its imports. */
export function skillsFeature(needs: Needs) {
  const { home, workspace, bundled, config, secrets, store, network, registry, models, memory } = needs
  const { feed, now, report } = needs
  const { library, editor, imports, evidence, indexOf, close } = openSkills({
    home,
    bundled: bundled ?? bundledSkills(),
    store,
    edition: packageJson.version,
    settings: () => config.current.skills,
    // A skill names the tools or toolsets that it requires.
    toolsets: () =>
      registry.names.flatMap(name => {
        const tool = registry.get(name)!
        return tool.unavailable?.() === undefined ? [name, tool.toolset] : []
      }),
    isMet: (key, { kind, name }) =>
      kind === 'key' ? secrets.get(skillKeyName(key, name)) !== undefined : findOnPath(name) !== undefined,
    count: estimateTokens,
    now,
    onChange: () => feed.tell('skills'),
    gitVariables: () => network.variables(),
    reach: (host, subject) => network.begin(host, { purpose: 'skill_import', subject }),
    report,
  })
  config.onChange(path => {
    // Both settings decide which tools there are.
    if (path.startsWith('skills.') || path.startsWith('memory.')) library.changed('now')
  })
  /**
   * Return the skills that a chat can load, most used first; empty if chats do not use skills. `offered`: the
   * names of its tools and toolsets.
   */
  async function loadableIn(session: Pick<Session, 'workspace' | 'projectId'>, offered: readonly string[]) {
    if (!config.current.skills.use_in_chats) return []
    await library.caughtUp()
    const only = needs.projects.of(session)?.skills
    const known = library.forChat(session.workspace, offered)
    return only ? known.filter(({ skill }) => only.includes(skill.name)) : known
  }
  const index: PromptSection = {
    name: 'skills',
    title: 'Skills',
    order: 600,
    isTrained: true,
    async text({ session, tools, contextTokens, edition, trained }) {
      const names = tools.map(({ name }) => name)
      if (!names.includes('skill_view')) return ''
      return skillsSection(await loadableIn(session, offeredBy(registry, names)), {
        tokens: indexTokenBudget(contextTokens),
        // Not the engine's count, which changes once a model loads: equal chats must start with equal bytes.
        count: estimateTokens,
        edition,
        words: trained?.sections.skills,
      })
    },
  }
  return {
    library,
    loadableIn,
    sections: [index],
    editor,
    imports,
    evidence,
    steps: [
      () => skillKeysStep(findTurnKeys({ library, store: store.skills, secrets })),
    ] satisfies StepSource[],
    /** Return the keys that enabled skills ask for. */
    neededKeys: (): KnownKey[] =>
      library
        .list()
        .filter(({ skill }) => skill.enabled && skill.shadowedBy === null)
        .flatMap(({ skill }) =>
          skill.prerequisites
            .filter(each => each.kind === 'key')
            .map(({ name, help }) => ({
              name: skillKeyName(skill.key, name),
              help: help === '' ? `The skill “${skill.name}” calls it ${name}.` : help,
              where: 'See the instructions of the skill.',
              usedBy: [`the skill “${skill.name}”`],
              masked: true,
              otherNames: [name],
            })),
        ),
    tools: skillTools({
      library,
      editor,
      store: store.skills,
      uses: () => config.current.skills.use_in_chats,
      learns: () => config.current.skills.learn_from_chats,
      workOf: id =>
        store.messages
          .history(id, { most: MOST_WORK })
          .flatMap(each => (each.role === 'tool' ? [{ name: each.name, ok: each.ok }] : [])),
      onlyIn(id) {
        const session = store.sessions.get(id)
        return (session && needs.projects.of(session)?.skills) ?? null
      },
      proposing: proposeFromChat({
        store,
        memory: memory.notebook,
        library,
        editor,
        now,
      }),
      now,
    }),
    handlers: {
      ...skillSetupHandlers({ library, editor, store, secrets, by: YOU }),
      ...skillHandlers({ library, editor, store, config, count: estimateTokens }),
      ...skillImportHandlers({ library, imports, workspace, indexOf, asking: models.asking }),
    },
    close,
  }
}
