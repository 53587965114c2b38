import { isFrontMap, textOf, type FrontMap, type FrontValue } from './front-yaml.ts'

/** What must be there before a skill can be followed. `help` says how to get a key; empty when the skill does not. */
export type Prerequisite = { kind: 'key' | 'program'; name: string; help: string }

const MOST = 20
const KEY_NAME = /^[A-Za-z_]\w{0,99}$/
const PROGRAM_NAME = /^[\w][\w.+-]{0,60}$/
const LONGEST_HELP = 300

/**
 * The keys and programs that front matter asks for, in the spellings of Hermes Agent (`required_environment_variables`,
 * `prerequisites`) and OpenClaw (`metadata.<product>.requires`). `more` is the front matter beyond the form.
 */
export function prerequisitesOf(more: Readonly<Record<string, unknown>>): Prerequisite[] {
  const found = mapsOf(more as FrontMap).flatMap(map => [
    ...named('key', map['required_environment_variables']),
    ...inside('key', map['prerequisites'], 'env_vars'),
    ...inside('program', map['prerequisites'], 'commands'),
    ...inside('key', map['requires'], 'env'),
    ...inside('program', map['requires'], 'bins'),
  ])
  const first = new Map(
    found.map(each => [`${each.kind} ${each.name}`, each]).toReversed() as [string, Prerequisite][],
  )
  return [...first.values()].toReversed().slice(0, MOST)
}

/** The names of skills that front matter calls related. */
export const relatedOf = (more: Readonly<Record<string, unknown>>): string[] =>
  mapsOf(more as FrontMap)
    .flatMap(map => wordsOf(map['related_skills'] ?? map['related-skills']))
    .slice(0, MOST)

/** The front matter itself, its metadata, and the maps of products in that. */
function mapsOf(front: FrontMap): FrontMap[] {
  const { metadata } = front
  if (!isFrontMap(metadata)) return [front]
  return [front, metadata, ...Object.values(metadata).filter(isFrontMap)]
}

const inside = (kind: Prerequisite['kind'], map: FrontValue | undefined, key: string): Prerequisite[] =>
  isFrontMap(map) ? named(kind, map[key]) : []

function named(kind: Prerequisite['kind'], value: FrontValue | undefined): Prerequisite[] {
  const given = Array.isArray(value) ? value : wordsOf(value)
  return given.flatMap(each => {
    const name = (isFrontMap(each) ? textOf(each['name']) : textOf(each))?.trim() ?? ''
    const help = isFrontMap(each) ? (textOf(each['help']) ?? textOf(each['prompt']) ?? '') : ''
    const isName = (kind === 'key' ? KEY_NAME : PROGRAM_NAME).test(name)
    return isName
      ? [{ kind, name, help: help.replace(/\s+/g, ' ').trim().slice(0, LONGEST_HELP).toWellFormed() }]
      : []
  })
}

const wordsOf = (value: FrontValue | undefined): string[] =>
  (Array.isArray(value) ? value.map(each => textOf(each) ?? '') : (textOf(value) ?? '').split(/[,\s]+/))
    .map(word => word.trim())
    .filter(word => word !== '')
