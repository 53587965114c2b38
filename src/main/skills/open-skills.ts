import { createHash } from 'node:crypto'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Store } from '../store/types.ts'
import { openWorkshop } from './change/open-workshop.ts'
import type { GitOptions } from './import/git.ts'
import { openImports } from './import/open-imports.ts'
import { openLibrary } from './library/open-library.ts'
import { rootsOfProject } from './library/project-folders.ts'
import { keepEvidence } from './keep-evidence.ts'
import { indexRoom } from './index-room.ts'
import { skillsSection } from './prompt-index.ts'
import type { Imports, Library, SkillRoot, Workshop } from './types.ts'

/** Everything that has to do with skills. */
export type Skills = {
  library: Library
  workshop: Workshop
  imports: Imports
  evidence: ReturnType<typeof keepEvidence>
  /** The index of skills as a model with a window of so many tokens reads it in a folder. */
  indexOf(workspace: string, contextTokens: number): string
  close(): Promise<void>
}

type Parts = {
  home: string
  /** The folder of the skills that ship. */
  bundled: string
  store: Store
  /** The version of the product; scans of another one are made anew. */
  edition: string
  settings(): { folders: readonly string[]; trusted_projects: readonly string[] }
  toolsets(): readonly string[]
  count(text: string): number
  now(): number
  onChange(): void
  /** Told of each computer before a repository is fetched from it; throws when it may not be. */
  reach?: GitOptions['reach']
  report(error: unknown): void
}

/** Chats of so many folders are looked at for skills of their projects. */
const MOST_PROJECTS = 50
/** Windows up to so many tokens get the compact edition, as the whole prompt does. */
const COMPACT_TOKENS = 8_192

/** Open the skills of a home folder. What a crash left half done is finished first. */
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
  const workshop = openWorkshop({ home, library, store: store.skills, now, onChange, report })
  const imports = openImports({
    home,
    library,
    workshop,
    now,
    report,
    git: { ...(parts.reach && { reach: parts.reach }) },
  })

  return {
    library,
    workshop,
    imports,
    evidence: keepEvidence({ store, library, now }),
    indexOf: (workspace, contextTokens) =>
      skillsSection(library.forChat(workspace), {
        tokens: indexRoom(contextTokens),
        count,
        edition: contextTokens <= COMPACT_TOKENS ? 'compact' : 'full',
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
