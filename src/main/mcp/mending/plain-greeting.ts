import { isRecord } from '../../lib/json-fields.ts'

/** What a server says of itself when it starts, as the protocol has it: whatever is wrong in it never costs the server. */

type Json = Record<string, unknown>

/** Versions are dates. */
const VERSION = /^\d{4}-\d\d-\d\d$/
/** The oldest version that is spoken, for a server that names none. */
const OLDEST = '2024-11-05'

/**
 * A greeting with all that must be there. PHP writes a list for an empty object; others leave out their name or what they can do,
 * count versions, or say yes where an object should be.
 */
export function plainGreeting(given: Json): Json {
  // The newer era greets in another way.
  if ('supportedVersions' in given) return given
  const { capabilities, serverInfo, instructions, protocolVersion } = given
  const info = isRecord(serverInfo) ? serverInfo : {}
  return {
    ...given,
    protocolVersion: VERSION.test(textOf(protocolVersion)) ? protocolVersion : OLDEST,
    capabilities: isRecord(capabilities) ? plainAbilities(capabilities) : { tools: {} },
    serverInfo: { ...info, name: textOf(info['name']), version: textOf(info['version']) },
    ...(instructions !== undefined && { instructions: [instructions].flat().map(textOf).join('\n') }),
  }
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

/** Each ability is an object, or it is not there. */
function plainAbilities(given: Json): Json {
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]): [string, Json][] => {
      if (isRecord(value)) return [[name, value]]
      return value === true || (Array.isArray(value) && value.length === 0) ? [[name, {}]] : []
    }),
  )
}
