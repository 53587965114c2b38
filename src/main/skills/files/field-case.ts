import { LICENCE_KEYS, LIST_KEYS } from './skill-fields.ts'
import { frontMap, isFrontMap, type FrontMap } from './front-yaml.ts'

/** The fields that Talaria or the specification knows, which are all in small letters. */
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

/** Front matter with known fields in small letters, unless such a field stands there already; and which were written otherwise. */
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

/** The text of front matter with its own fields as `inUsualCase` names them. */
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
