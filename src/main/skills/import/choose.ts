import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SkillCandidate, SkillImport } from '../../../shared/contract/skill-imports.ts'
import { decodeText } from '../library/texts.ts'
import { policyFor } from '../scan/policy.ts'
import type { SkillRefusal } from '../types.ts'
import { renamed } from './renamed.ts'
import { isSkillName, suggestName } from './skill-name.ts'
import { visibleName } from './visible-name.ts'

export type Choice = { path: string; as?: string | undefined; on?: boolean | undefined }

/** A candidate as it will be installed; `text` is what its SKILL.md at `file` has to say then, if that is new. */
export type Chosen = {
  candidate: SkillCandidate
  folder: string
  name: string
  file: string
  text: string | undefined
  on: boolean
  accept: boolean
}

/** Find out what a choice means, or why it cannot be. */
export function choose(
  { candidates }: SkillImport,
  folders: ReadonlyMap<string, string>,
  { path, as, on }: Choice,
): Chosen | SkillRefusal {
  const candidate = candidates.find(each => each.path === path)
  const folder = folders.get(path)
  if (!candidate || !folder) return { refused: `This import has no skill at “${visibleName(path)}”.` }
  if (candidate.refused !== null)
    return { refused: `“${visibleName(candidate.name)}” cannot be installed. ${candidate.refused}` }
  const name = as?.trim() || candidate.name
  // An update keeps the name that its skill has, whatever that is.
  if (name !== candidate.name && !isSkillName(name))
    return {
      refused: `“${visibleName(name)}” is no name for a skill: small letters, digits and single hyphens, at most 64, such as “${suggestName(name, candidate.name)}”.`,
    }
  const file = candidate.files.find(({ kind }) => kind === 'skill')!.path
  const before = decodeText(readFileSync(join(folder, file)))!
  const after = renamed(before, name)
  if (after === undefined)
    return {
      refused: `The front matter of “${visibleName(candidate.name)}” cannot be given another name. Correct it first.`,
    }
  return {
    candidate,
    folder,
    name,
    file,
    text: after === before ? undefined : after,
    on: on ?? candidate.on,
    // Who switches it on has seen what was found.
    accept: on === true && policyFor(candidate.scan, 'imported') === 'block',
  }
}
