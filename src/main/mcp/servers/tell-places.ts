import { homedir } from 'node:os'
import { isRefusal } from '../../lib/expected-errors.ts'
import { judgePlaces } from './named-places.ts'
import { isLocal, type KnownServer } from './known-servers.ts'
import { fillEntry, type StartParts } from '../connections/start-program.ts'

/** The places of a server, described for the user who is asked to agree to it. */
export type ToldPlaces = {
  /** The places where the server may write while it is confined, in words. */
  writes: string[]
  /** The places that the entry chose. The user agrees to them; if they change, the server is off. */
  agreed: string[]
  /** Places that the entry names but the server does not get, in sentences. */
  notes: string[]
  /** The reason why the server is not started; empty if there is none. */
  problem: string
}

const NOWHERE: ToldPlaces = { writes: [], agreed: [], notes: [], problem: '' }

/** Describe where a server may write at this moment. Keys may be stored and links moved later. */
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
