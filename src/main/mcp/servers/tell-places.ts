import { homedir } from 'node:os'
import { isRefusal } from '../../lib/expected-errors.ts'
import { judgePlaces } from './named-places.ts'
import { isLocal, type KnownServer } from './known-servers.ts'
import { fillEntry, type StartParts } from '../connections/start-program.ts'

/** What a person is told of the places of a server before they agree to it. */
export type ToldPlaces = {
  /** Where it may write while it is confined, in words. */
  writes: string[]
  /** Of these what its entry chose; the person agrees to it, and the server is off once it differs. */
  agreed: string[]
  /** What it names and is not given, in sentences. */
  notes: string[]
  /** Why it is not started; empty if nothing is against it. */
  problem: string
}

const NOWHERE: ToldPlaces = { writes: [], agreed: [], notes: [], problem: '' }

/** Say where a server may write, as things are at this moment: keys may be stored and links may be moved later. */
export function tellPlaces(
  server: KnownServer,
  { home, keyOf }: Pick<StartParts, 'home' | 'keyOf'>,
  userHome = homedir(),
): ToldPlaces {
  if (!isLocal(server)) return NOWHERE
  const filled = fillEntry(server, keyOf)
  // A key that is not stored yet names no place.
  const entry = isRefusal(filled) ? fillEntry(server, name => keyOf(name) ?? `\${${name}}`) : filled
  if (isRefusal(entry)) return NOWHERE
  const places = judgePlaces(entry, home, undefined, userHome)
  if (isRefusal(places)) return { ...NOWHERE, problem: places.refused }
  const { words, notes } = places
  const always =
    server.project === undefined
      ? [...(server.cwd === undefined ? ['a folder of its own'] : []), 'the folder of the chat that uses it']
      : ['this folder']
  return { writes: [...always, ...words], agreed: words, notes, problem: '' }
}
