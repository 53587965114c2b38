import { existsSync, lstatSync, readdirSync, realpathSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import type { FoundSkill, Library, SkillBy, SkillRefusal } from '../skill-types.ts'
import { skillFileAmong } from '../files/main-file.ts'
import { isSkillName } from '../files/skill-name.ts'
import { isWithin } from '../library/walk-roots.ts'
import { tryFs } from './folder-tree.ts'

/** The existing and possible folders of skills. */
export type Places = ReturnType<typeof openPlaces>

/** Maximum depth of a category. The library does not search deeper. */
const DEEPEST = 3
const CATEGORY = /^[a-z0-9]([a-z0-9_-]{0,62}[a-z0-9])?$/i

/** Open the skill folders of a home folder. */
export function openPlaces(home: string, library: Library) {
  const real = (folder: string) => tryFs(() => realpathSync(folder)) ?? folder
  // Resolved each time: the folders may appear or become links while Talaria is running.
  const rootFolder = (name: string) => real(join(real(home), name))
  const roots = () => [
    { key: 'own', folder: rootFolder('skills') },
    { key: 'imported', folder: rootFolder('imported-skills') },
  ]

  /** Whether a skill's folder is, or is behind, a link out of its root. Nothing is written there. */
  function leadsOut(root: string, folder: string): boolean {
    let at = folder
    while (at !== root && !lstatSync(at, { throwIfNoEntry: false })) at = dirname(at)
    const there = tryFs(() => realpathSync(at))
    return there !== undefined && !isWithin(root, there)
  }

  /** The current or former folder of a skill; undefined for projects and unread folders. */
  function folderOf(id: string): string | undefined {
    const root = roots().find(({ key }) => id.startsWith(`${key}/`))
    if (root) return join(root.folder, ...id.slice(root.key.length + 1).split('/'))
    return library.get(id)?.found.folder
  }

  /** Refuse to write to a skill's former folder if a link has replaced it. */
  function refuseLinkedPlace(id: string): SkillRefusal | undefined {
    const root = roots().find(({ key }) => id.startsWith(`${key}/`))
    const folder = root && folderOf(id)
    if (!folder || !leadsOut(root.folder, folder)) return undefined
    return {
      refused: `A link stands at ${folder} now, and nothing is written to where it leads. Move it away first.`,
    }
  }

  /** The folder for a new skill of the user or the agent, or why it cannot be created. */
  function newPlace(category: string, name: string): { folder: string; id: string } | SkillRefusal {
    const names = category === '' ? [] : category.split('/')
    if (names.length > DEEPEST || !names.every(each => CATEGORY.test(each))) {
      return {
        refused: `“${category}” cannot be a category: use letters, digits and hyphens, and / between up to ${DEEPEST} of them.`,
      }
    }
    let at = rootFolder('skills')
    for (const each of names) {
      at = join(at, each)
      if (skillFileAmong(tryFs(() => readdirSync(at)) ?? []) !== undefined)
        return { refused: `“${category}” cannot be a category: it is a skill itself.` }
    }
    const folder = join(at, name)
    if (leadsOut(rootFolder('skills'), folder))
      return {
        refused: `“${category}” is a link that leads out of the folder of skills. Choose another category.`,
      }
    return existsSync(folder) ? placeTaken(folder) : { folder, id: ['own', ...names, name].join('/') }
  }

  /** The id of a skill after its folder is renamed, or moved to the user's own. */
  const idIn = (rootKey: string, folderOfRoot: string, folder: string): string =>
    [rootKey, ...relative(real(folderOfRoot), folder).split(sep)].join('/')

  /** Whether the skill is the whole root folder. */
  const isRoot = ({ folder, root }: FoundSkill) => folder === real(root.folder)

  return { home, roots, isRoot, folderOf, refuseLinkedPlace, newPlace, idIn }
}

/** Refuse to put a skill into a folder that exists. */
export const placeTaken = (folder: string): SkillRefusal => ({
  refused: `There is something else in the folder ${basename(folder)} already. Choose another name, or move it away.`,
  conflict: true,
})

/** Another skill with a conflicting name. Project skills have separate names, so they do not conflict. */
function namesake(library: Library, name: string, but?: FoundSkill): FoundSkill | undefined {
  return library
    .list()
    .map(({ found }) => found)
    .find(each => each.key === name && each.id !== but?.id && each.key !== but?.key)
}

/** The reason why a new skill cannot have a name, or undefined. */
export function refuseName(library: Library, name: string, but?: FoundSkill): SkillRefusal | undefined {
  if (!isSkillName(name)) {
    return {
      refused: `“${name}” cannot be the name of a skill: up to 64 small letters and digits, with single hyphens between them.`,
    }
  }
  const other = namesake(library, name, but)
  if (!other) return undefined
  const whose = other.root.kind === 'bundled' ? ' and ships with Talaria' : ''
  return {
    refused: `There is a skill called ${name} already (${other.id})${whose}. Change that one, or choose another name.`,
    conflict: true,
  }
}

/** Whether an edit changes the skill itself instead of a copy. */
export const isChangedInPlace = ({ root }: FoundSkill, { actor }: SkillBy): boolean =>
  root.kind === 'own' || ((root.kind === 'project' || root.kind === 'folder') && actor === 'you')

/** A folder next to another. */
export const siblingFolder = (folder: string, name: string): string => join(dirname(folder), name)
