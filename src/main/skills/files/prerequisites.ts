import { isFrontMap, textOf, type FrontMap, type FrontValue } from './front-yaml.ts'

/** A key or program that a skill needs. `help` says how to get a key; empty if the skill does not say. */
export type Prerequisite = { kind: 'key' | 'program'; name: string; help: string }

const MOST = 20
const KEY_NAME = /^[A-Za-z_]\w{0,99}$/
/** Variables that every computer has, or that control which programs run and what they load: never keys. */
const NOT_A_KEY =
  /^(PATH|HOME|USER|LOGNAME|SHELL|PWD|OLDPWD|TMPDIR|TEMP|TMP|TERM|LANG|LANGUAGE|TZ|IFS|ENV|EDITOR|VISUAL|PAGER|PROMPT_COMMAND|PS\d|SHELLOPTS|BASHOPTS|BROWSER|CLASSPATH|GO(PATH|ROOT|CACHE|MODCACHE|FLAGS)|CARGO_HOME|GRADLE_USER_HOME|PERL5?LIB|PERL5OPT|_?JAVA_(TOOL_)?OPTIONS|RUBY(OPT|LIB)|NODE_(OPTIONS|PATH|EXTRA_CA_CERTS)|DOCKER_HOST|CONTAINER_HOST|DISPLAY|(https?|all|no|ftp)_proxy|(LC|LD|DYLD|BASH|XDG|DBUS|SSH|SSL|PYTHON|NPM_CONFIG|ELECTRON|TALARIA|VSCODE|WSL)(_?\w*)|GIT_(?!\w*TOKEN)\w*)$/i
const PROGRAM_NAME = /^[\w][\w.+-]{0,60}$/
const LONGEST_HELP = 300

/**
 * The keys and programs that front matter requires, as spelt by Hermes Agent
 * (`required_environment_variables`, `prerequisites`) and OpenClaw (`metadata.<product>.requires`). `more`:
 * the fields beyond the form.
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

/** The names of the skills that front matter calls related. */
export const relatedOf = (more: Readonly<Record<string, unknown>>): string[] =>
  mapsOf(more as FrontMap)
    .flatMap(map => wordsOf(map['related_skills'] ?? map['related-skills']))
    .slice(0, MOST)

/** The front matter itself, its metadata, and the maps of products in the metadata. */
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
    const isName = kind === 'key' ? KEY_NAME.test(name) && !NOT_A_KEY.test(name) : PROGRAM_NAME.test(name)
    return isName
      ? [{ kind, name, help: help.replace(/\s+/g, ' ').trim().slice(0, LONGEST_HELP).toWellFormed() }]
      : []
  })
}

const wordsOf = (value: FrontValue | undefined): string[] =>
  (Array.isArray(value) ? value.map(each => textOf(each) ?? '') : (textOf(value) ?? '').split(/[,\s]+/))
    .map(word => word.trim())
    .filter(word => word !== '')
