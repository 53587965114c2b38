import type { SkillCandidate } from '../../../../shared/contract/learned/skill-imports.ts'

/**
 * The action for a candidate. `install` if its name is free; `replace` or `both` if the name is taken; `skip`
 * leaves it out.
 */
export type Choice = { act: 'install' | 'replace' | 'both' | 'skip'; name: string; on: boolean }
export type Choices = Readonly<Record<string, Choice>>

/** The kind of skill that already has the name. */
export type ClashKind = 'imported' | 'edited' | 'builtin' | 'own'
export function clashKind({ replaces }: SkillCandidate): ClashKind | null {
  if (!replaces) return null
  if (replaces.isEdited) return 'edited'
  return replaces.origin === 'imported' || replaces.origin === 'builtin' ? replaces.origin : 'own'
}

const LONGEST = 64
const isSkillName = (name: string) => name.length <= LONGEST && /^[a-z\d]+(?:-[a-z\d]+)*$/u.test(name)

/** The default choices: install everything possible, but never replace a skill of kind `own`. */
export function proposeChoices(candidates: readonly SkillCandidate[]): Choices {
  const taken = new Set(candidates.map(({ name }) => name))
  const freeName = (name: string) => {
    let free = name
    for (let number = 2; taken.has(free); number++)
      free = `${name.slice(0, LONGEST - 4).replace(/-$/u, '')}-${number}`
    taken.add(free)
    return free
  }
  return Object.fromEntries(
    candidates.map(candidate => {
      const kind = clashKind(candidate)
      const act = candidate.refused === null ? usualAct(candidate) : 'skip'
      const name = kind === null ? candidate.name : freeName(candidate.name)
      return [candidate.path, { act, name, on: candidate.on }]
    }),
  )
}

/** The default action for a selected candidate. */
export function usualAct(candidate: SkillCandidate): Exclude<Choice['act'], 'skip'> {
  const kind = clashKind(candidate)
  return kind === null ? 'install' : kind === 'own' ? 'both' : 'replace'
}

/** The name a candidate would get. */
export const nameOf = (candidate: SkillCandidate, choice: Choice): string =>
  choice.act === 'both' ? choice.name.trim() : candidate.name

/** Name problems of the selected candidates, by path. */
export function wrongNames(
  candidates: readonly SkillCandidate[],
  choices: Choices,
): ReadonlyMap<string, 'wrong' | 'taken'> {
  const chosen = candidates.flatMap(candidate => {
    const choice = choices[candidate.path]
    return !choice || choice.act === 'skip' ? [] : [{ candidate, choice, name: nameOf(candidate, choice) }]
  })
  const counts = new Map<string, number>()
  for (const { name } of chosen) counts.set(name, (counts.get(name) ?? 0) + 1)
  return new Map(
    chosen.flatMap(({ candidate, choice, name }): [string, 'wrong' | 'taken'][] => {
      if (choice.act !== 'both') return []
      if (!isSkillName(name)) return [[candidate.path, 'wrong']]
      const isTaken = (counts.get(name) ?? 0) > 1 || name === candidate.name
      return isTaken ? [[candidate.path, 'taken']] : []
    }),
  )
}

/** The selected candidates with lines that the user has to read first. */
export const askingCandidates = (
  candidates: readonly SkillCandidate[],
  choices: Choices,
): readonly SkillCandidate[] =>
  candidates.filter(
    ({ path, policy, refused }) =>
      policy === 'ask' && refused === null && choices[path] !== undefined && choices[path].act !== 'skip',
  )

/**
 * The request that installs the selected candidates. `accepted`: the user has read the lines that need
 * caution.
 */
export function toInstall(
  candidates: readonly SkillCandidate[],
  choices: Choices,
  accepted: boolean,
): { path: string; seen: string; as?: string; on?: boolean; accept?: boolean }[] {
  return candidates.flatMap(candidate => {
    const choice = choices[candidate.path]
    if (!choice || choice.act === 'skip' || candidate.refused !== null) return []
    const { path, on, policy, seen } = candidate
    return [
      {
        path,
        seen,
        ...(choice.act === 'both' ? { as: choice.name.trim() } : {}),
        ...(choice.on === on ? {} : { on: choice.on }),
        ...(policy === 'ask' && accepted ? { accept: true } : {}),
      },
    ]
  })
}
