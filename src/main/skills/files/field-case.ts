import { LICENCE_KEYS, LIST_KEYS } from './skill-fields.ts'
import { frontMap, isFrontMap, type FrontMap } from './front-yaml.ts'

/** The fields that Talaria or the specification knows, all in lower case. */
const TOP: ReadonlySet<string> = new Set([
  'name',
  'description',
  'compatibility',
  'metadata',
  'allowed-tools',
  'version',
  'author',
  'prerequisites',
  'required_environment_variables',
  ...LICENCE_KEYS,
  ...Object.values(LIST_KEYS).flat(),
])
const IN_METADATA: ReadonlySet<string> = new Set(Object.values(LIST_KEYS).flat())

type Renamed = { from: string; to: string }

/** Put known fields into lower case, unless that field exists already. Also returns the renamed fields. */
export function inUsualCase(map: FrontMap): { map: FrontMap; renamed: Renamed[] } {
  const renamed: Renamed[] = []
  const usual = renameIn(map, TOP, renamed)
  const { metadata } = usual
  if (isFrontMap(metadata)) usual['metadata'] = renameIn(metadata, IN_METADATA, renamed)
  return renamed.length > 0 ? { map: usual, renamed } : { map, renamed }
}

function renameIn(map: FrontMap, known: ReadonlySet<string>, renamed: Renamed[]): FrontMap {
  const usual = frontMap()
  for (const [key, value] of Object.entries(map)) {
    const small = key.toLowerCase()
    const isOther = small !== key && known.has(small) && !(small in map) && !(small in usual)
    if (isOther) renamed.push({ from: key, to: small })
    usual[isOther ? small : key] = value
  }
  return usual
}

/** Rename fields in the text of front matter, as `inUsualCase` does. */
export function rewriteCase(front: string, map: FrontMap): string {
  const { renamed } = inUsualCase(map)
  let text = front
  for (const { from, to } of renamed) {
    const at = new RegExp(
      `^([ \\t]*["']?)${from.replaceAll(/[^\w-]/g, String.raw`\\$&`)}(?=["']?[ \\t]*:)`,
      'm',
    )
    text = text.replace(at, (_all, before: string) => before + to)
  }
  return text
}
