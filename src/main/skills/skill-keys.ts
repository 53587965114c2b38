import type { Store } from '../db/store.ts'
import { isRefusal } from '../lib/expected-errors.ts'
import type { Library } from './types.ts'

/** What the commands of a turn get of the keys that skills ask for. */
export type TurnKeys = {
  /** By the name of the variable: the keys of the skills that this turn has loaded. */
  given: Readonly<Record<string, string>>
  /** What no result may show: the keys of all skills that the chat has loaded. */
  secrets: readonly string[]
}

type Parts = {
  library: Pick<Library, 'named'>
  store: Pick<Store['skills'], 'loadedIn'>
  secrets: { get(name: string): string | undefined }
}

/** Skills whose keys are looked up for a chat: the ones that it loaded last. */
const MOST_SKILLS = 20
/** A shorter key is often a word, and redacting it would make results unreadable. */
const LEAST_SECRET = 4

/**
 * The name under which a key of a skill is kept. Each skill has its own, so that none gets the keys of another or of a
 * server by asking for their names.
 */
export const skillKeyName = (skill: string, name: string): string =>
  `SKILL_${skill.replace(/\W/g, '_').toUpperCase()}__${name}`

/** Make the function that finds the keys for a turn. When two skills name one variable, the one loaded last gives it. */
export function findTurnKeys({ library, store, secrets }: Parts) {
  return (turn: { sessionId: string; askedId: number; workspace: string }): TurnKeys => {
    const given: Record<string, string> = {}
    const hidden = new Set<string>()
    for (const { key, messageId } of store.loadedIn(turn.sessionId, MOST_SKILLS).toReversed()) {
      // The key of state is the name, after the folder for a skill of a project.
      const known = library.named(key.slice(key.lastIndexOf('/') + 1), turn.workspace)
      if (isRefusal(known) || known.found.skill.key !== key) continue
      for (const { kind, name } of known.found.skill.prerequisites) {
        const value = kind === 'key' ? secrets.get(skillKeyName(key, name)) : undefined
        if (value === undefined) continue
        if (messageId === turn.askedId) given[name] = value
        // Programs print addresses with what they asked for.
        if (value.length >= LEAST_SECRET) hidden.add(value).add(encodeURIComponent(value))
      }
    }
    return { given, secrets: [...hidden] }
  }
}
