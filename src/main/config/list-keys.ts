import type { Key } from '../../shared/contract/settings.ts'
import { environmentKey, keyNameOf, keyOfHost, knownKeys, serverKey, type KnownKey } from './known-keys.ts'
import type { ConfigHandle } from './load.ts'
import type { Secrets } from './secrets.ts'

/** What keys are found in. */
export type KeyParts = {
  config: Pick<ConfigHandle, 'current' | 'path' | 'problems' | 'lineOf'>
  secrets: Pick<Secrets, 'trace' | 'envPath'>
  /** The keys without which a tool or a skill that is on cannot work; `usedBy` names it. */
  neededKeys: () => readonly KnownKey[]
}

/** Every key that has a use here, with where its value comes from. Secrets stay out. */
export function listKeys({ config, secrets, neededKeys }: KeyParts): Key[] {
  const needed = neededKeys()
  const servers = config.current.models.servers
  const isSet = (name: string) => secrets.trace(name) !== undefined
  const read = (name: string) => secrets.trace(name)?.value
  const withoutKey = servers.filter(
    ({ id, base_url }) =>
      !isSet(keyNameOf(id)) &&
      keyOfHost(base_url, read) !== undefined &&
      environmentKey(base_url, read) === undefined,
  )
  const serverNames = new Set(withoutKey.map(({ id }) => keyNameOf(id)))
  const all = mergeByName([...servers.map(serverKey), ...needed, ...knownKeys])
  return all.map(({ name, help, where, usedBy, masked }) => {
    const found = secrets.trace(name)
    const isMissing = !found && (serverNames.has(name) || needed.some(each => each.name === name))
    const users = needed.filter(each => each.name === name).flatMap(each => each.usedBy)
    return {
      name,
      help,
      where,
      usedBy: [...usedBy],
      masked,
      value: masked ? null : (found?.value ?? null),
      source: found?.source ?? null,
      missingFor: isMissing ? (users.length > 0 ? users : [...usedBy]) : [],
    }
  })
}

/** One entry for each name: the first text, and all that use it. */
function mergeByName(keys: readonly KnownKey[]): KnownKey[] {
  const byName = new Map<string, KnownKey>()
  for (const key of keys) {
    const first = byName.get(key.name)
    // What Talaria says of a key is better than what is said of it by what needs it.
    const text = knownKeys.find(each => each.name === key.name) ?? first ?? key
    byName.set(key.name, { ...text, usedBy: [...new Set([...(first?.usedBy ?? []), ...key.usedBy])] })
  }
  return [...byName.values()]
}

/** A key that a skill asks for. */
export const OF_SKILL = /^SKILL_\w+__\w/
/** Whether a text can be that key: keys are sent in a header, without spaces. A skill may ask for any text. */
export const isCleanKey = (name: string, value: string): boolean =>
  OF_SKILL.test(name) || /^[\x21-\x7e]*$/.test(value.trim())
export const UNCLEAN = 'has a space or another character that keys do not have. Copy it again.'
