import { createHash } from 'node:crypto'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Store } from '../db/store.ts'
import { openSkillEditor } from './edits/open-editor.ts'
import type { GitOptions } from './import/git.ts'
import { openImports } from './import/open-imports.ts'
import { openLibrary } from './library/open-library.ts'
import { rootsOfProject } from './library/project-folders.ts'
import { recordSkillUse } from './record-skill-use.ts'
import { editionFor, indexTokenBudget, skillsSection } from './prompt-index.ts'
import type { Imports, Library, SkillRoot, SkillEditor } from './types.ts'

/** The skill services of a home folder. */
export type Skills = {
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
  settings(): { folders: readonly string[]; trusted_projects: readonly string[] }
  toolsets(): readonly string[]
  count(text: string): number
  now(): number
  onChange(): void
  /** Called with each host before a repository is fetched from it; throws when that is not allowed. */
  reach?: GitOptions['reach']
  report(error: unknown): void
}

/** Chat folders to search for project skills. */
const MOST_PROJECTS = 50

/** Open the skills of a home folder. A change that a crash interrupted is finished first. */
export function openSkills(parts: Parts): Skills {
  const { home, store, settings, toolsets, count, now, onChange, report } = parts
  const library = openLibrary({
    roots: () => rootsOf(parts),
    projects: () => store.sessions.workspaces(MOST_PROJECTS),
    trusted: () => [...settings().trusted_projects],
    store: store.skills,
    cacheFile: join(home, 'cache', 'skills.json'),
    count,
    toolsets,
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
    git: { ...(parts.reach && { reach: parts.reach }) },
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

/** By precedence. */
function rootsOf({ home, bundled, settings }: Parts): SkillRoot[] {
  const { folders, trusted_projects: projects } = settings()
  const expand = (path: string) => resolve(path.replace(/^~(?=$|[/\\])/, homedir()))
  return [
    { key: 'own', kind: 'own', folder: join(home, 'skills') },
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
