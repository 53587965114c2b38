import { createHash } from 'node:crypto'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Store } from '../db/store.ts'
import { openSkillEditor } from './edits/open-editor.ts'
import type { GitOptions } from './import/open-git.ts'
import { openImports } from './import/open-imports.ts'
import { openLibrary, type LibraryOptions } from './library/open-library.ts'
import { rootsOfProject } from './library/index-roots.ts'
import { realFolder } from './library/walk-skill.ts'
import { editionFor, indexTokenBudget, skillsSection } from './prompt-index.ts'
import type { Imports, Library, SkillRoot, SkillEditor } from './skill-types.ts'
import type { EndReason } from '../../shared/contract/runs/run.ts'
import type { SkillUse } from '../../shared/contract/learned/skills.ts'
import { isCorrection } from './correction.ts'

/** The skill services of a home folder. */
type Skills = {
  library: Library
  editor: SkillEditor
  imports: Imports
  evidence: ReturnType<typeof recordSkillUse>
  /** The skill index for a chat in a folder, fitted to a context window. */
  indexOf(workspace: string, contextTokens: number): string
  close(): Promise<void>
}

type Parts = {
  home: string
  /** The folder of the bundled skills. */
  bundled: string
  store: Store
  /** The product version. Cached scans of another version are discarded. */
  edition: string
  settings(): {
    folders: readonly string[]
    trusted_projects: readonly string[]
    allowed_links: readonly string[]
    trusted_publishers: readonly string[]
  }
  toolsets(): readonly string[]
  isMet?: LibraryOptions['isMet']
  count(text: string): number
  now(): number
  onChange(): void
  /** Called with each host before a repository is fetched from it. Throws if the host is not allowed. */
  reach?: GitOptions['reach']
  gitVariables?: GitOptions['variables']
  report(error: unknown): void
}

/** Maximum number of chat folders to search for project skills. */
const MOST_PROJECTS = 50

/** Open the skills of a home folder. A change that a crash interrupted is finished first. */
export function openSkills(parts: Parts): Skills {
  const { home, store, settings, toolsets, count, now, onChange, report } = parts
  const library = openLibrary({
    roots: () => rootsOf(parts),
    projects: () => store.sessions.workspaces(MOST_PROJECTS),
    trusted: () => [...settings().trusted_projects],
    publishers: () => settings().trusted_publishers,
    store: store.skills,
    cacheFile: join(home, 'cache', 'skills.json'),
    count,
    toolsets,
    ...(parts.isMet && { isMet: parts.isMet }),
    edition: parts.edition,
    now,
    onChange,
    report,
  })
  const editor = openSkillEditor({
    home,
    library,
    store: store.skills,
    now,
    onChange: () => library.changed('now'),
    report,
  })
  const imports = openImports({
    home,
    library,
    editor,
    now,
    report,
    publishers: () => settings().trusted_publishers,
    git: {
      ...(parts.reach && { reach: parts.reach }),
      ...(parts.gitVariables && { variables: parts.gitVariables }),
    },
  })

  return {
    library,
    editor,
    imports,
    evidence: recordSkillUse({ store, library, now }),
    indexOf: (workspace, contextTokens) =>
      skillsSection(library.forChat(workspace), {
        tokens: indexTokenBudget(contextTokens),
        count,
        edition: editionFor(contextTokens),
      }),
    async close() {
      await imports.close()
      library.close()
    },
  }
}

/** The skill roots, highest precedence first. */
function rootsOf({ home, bundled, settings }: Parts): SkillRoot[] {
  const { folders, trusted_projects: projects, allowed_links: allowed } = settings()
  const links = { allowed, never: [realFolder(home), realFolder(bundled)] }
  const expand = (path: string) => resolve(path.replace(/^~(?=$|[/\\])/, homedir()))
  return [
    { key: 'own', kind: 'own', folder: join(home, 'skills'), links },
    { key: 'imported', kind: 'imported', folder: join(home, 'imported-skills') },
    ...projects.flatMap(rootsOfProject),
    ...folders.map((given): SkillRoot => {
      const folder = expand(given)
      return { key: `folder-${digest(folder)}`, kind: 'folder', folder }
    }),
    { key: 'bundled', kind: 'bundled', folder: bundled },
  ]
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12)

type UseParts = {
  store: Pick<Store, 'skills' | 'messages'>
  library: Pick<Library, 'get' | 'changed'>
  now: () => number
}

const OUTCOMES: Record<EndReason, NonNullable<SkillUse['outcome']>> = {
  done: 'well',
  stopped: 'stopped',
  budget_exhausted: 'failed',
  tool_calls_invalid: 'failed',
  failed: 'failed',
}

/** Record how turns that loaded a skill ended, and whether the user's next message corrected them. */
function recordSkillUse({ store, library, now }: UseParts) {
  return {
    asked(sessionId: string, text: string) {
      if (!isCorrection(text)) return
      const last = store.messages
        .history(sessionId, { most: 200 })
        .findLast(message => message.role === 'user')
      if (!last) return
      if (store.skills.settle({ sessionId, messageId: last.id }, 'corrected', 'any').length > 0)
        library.changed()
    },
    sent(sessionId: string, messageId: number, skillId: string) {
      const key = library.get(skillId)?.skill.key
      if (key !== undefined) store.skills.use({ key, sessionId, messageId, by: 'you', at: now() })
    },
    ended(sessionId: string, messageId: number, reason: EndReason) {
      const keys = store.skills.settle({ sessionId, messageId }, OUTCOMES[reason], 'open')
      if (keys.length > 0) library.changed()
    },
  }
}
