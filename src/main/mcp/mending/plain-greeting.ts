import { isRecord } from '../../lib/json-fields.ts'

/** Correct how a server introduces itself, so that mistakes in it never make the server unusable. */

type Json = Record<string, unknown>

/** Versions are dates. */
const VERSION = /^\d{4}-\d\d-\d\d$/
/** The oldest supported version, for a server that names none. */
const OLDEST = '2024-11-05'

/**
 * Complete a greeting with all required fields. PHP writes an empty object as a list. Other servers omit
 * their name or capabilities, number their versions, or write true instead of an object.
 */
export function plainGreeting(given: Json): Json {
  // The newer era has another greeting.
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

/** Make each capability an object, or leave it out. */
function plainAbilities(given: Json): Json {
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]): [string, Json][] => {
      if (isRecord(value)) return [[name, value]]
      return value === true || (Array.isArray(value) && value.length === 0) ? [[name, {}]] : []
    }),
  )
}
