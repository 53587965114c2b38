import { isRecord } from '../../lib/json-fields.ts'

/** Maximum number of resources read for one result, in case it lists thousands. */
const MOST_FOLLOWED = 5
/** Maximum number of parts of one resource. */
const MOST_CONTENTS = 20
const LARGEST = 50_000_000

/** Read a resource from a server; rejects with a reason as text. */
export type ReadResource = (uri: string) => Promise<unknown>

/**
 * Replace links to resources by their contents, because a model cannot use a link. If the server returns
 * nothing, the link stays, with the reason.
 */
export async function followLinks(answered: unknown, read: ReadResource): Promise<unknown> {
  if (!isRecord(answered) || !Array.isArray(answered['content'])) return answered
  const content: unknown[] = answered['content']
  let left = MOST_FOLLOWED
  const parts: unknown[] = []
  for (const part of content) {
    const uri = linkIn(part)
    if (uri === undefined) parts.push(part)
    else if (left-- <= 0) parts.push(unread(part, `only the first ${MOST_FOLLOWED} are read`))
    else if (sizeOf(part) > LARGEST) parts.push(unread(part, `it has more than ${LARGEST / 1e6} MB`))
    else parts.push(...(await follow(part, uri, read)))
  }
  return left === MOST_FOLLOWED ? answered : { ...answered, content: parts }
}

async function follow(part: unknown, uri: string, read: ReadResource): Promise<unknown[]> {
  try {
    const given = await read(uri)
    const contents = isRecord(given) && Array.isArray(given['contents']) ? given['contents'] : []
    const usable = contents.filter(isRecord).slice(0, MOST_CONTENTS)
    return usable.length === 0
      ? [unread(part, 'the server gave nothing for it')]
      : usable.map(resource => ({ type: 'resource', resource: { uri, ...resource } }))
  } catch (error) {
    return [unread(part, error instanceof Error ? error.message : String(error))]
  }
}

/** The address in a link to a resource; undefined for any other part. */
function linkIn(part: unknown): string | undefined {
  if (!isRecord(part) || String(part['type']).toLowerCase() !== 'resource_link') return undefined
  return typeof part['uri'] === 'string' && part['uri'] !== '' ? part['uri'] : undefined
}

const sizeOf = (part: unknown): number =>
  isRecord(part) && typeof part['size'] === 'number' ? part['size'] : 0

const unread = (part: unknown, problem: string) => (isRecord(part) ? { ...part, problem } : part)
