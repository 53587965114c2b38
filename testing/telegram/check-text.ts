import type { MessageEntity } from '@grammyjs/types'

/** A text as the server stores it, or the reason for a refusal. */
export type CheckedText = { text: string; entities: MessageEntity[] } | { refused: string }

/** Whether the server accepted a text. */
export const isTaken = (checked: CheckedText): checked is Exclude<CheckedText, { refused: string }> =>
  'text' in checked

/** Kinds that may contain each other, and may be within links and quotes. */
const STYLES = new Set(['bold', 'italic', 'underline', 'strikethrough', 'spoiler'])
const QUOTES = new Set(['blockquote', 'expandable_blockquote'])
/** Kinds that contain no other kind, except a link, which may contain styles. */
const WHOLE = new Set(
  'code pre text_link mention hashtag cashtag bot_command url email phone_number'.split(' '),
)
/**
 * Maximum number of entities in a message. The real server silently drops the rest; this stand-in refuses it.
 */
const MOST_ENTITIES = 100

/**
 * Process a text that a bot sends, as the server does: control characters become spaces, some characters are
 * removed, the ends are trimmed, and the entities are shifted. What the real server silently repairs
 * (overlapping, too many or dead-link entities) is refused here, so that tests find it.
 */
export function checkText(text: string, entities: readonly MessageEntity[], most: number): CheckedText {
  if (!text.isWellFormed()) return { refused: 'strings must be encoded in UTF-8' }
  const wrong = wrongEntities(text, entities)
  if (wrong !== undefined) return { refused: wrong }
  const stored = storedText(text, entities)
  if (stored.text === '') return { refused: 'message text is empty' }
  if (stored.text.length > most)
    return { refused: most > 1024 ? 'message is too long' : 'message caption is too long' }
  return stored
}

function wrongEntities(text: string, entities: readonly MessageEntity[]): string | undefined {
  if (entities.length > MOST_ENTITIES)
    return `can't parse entities: more than ${MOST_ENTITIES} of them, which the server would drop`
  for (const entity of entities) {
    const wrong = wrongEntity(text, entity)
    if (wrong !== undefined) return `can't parse entities: ${wrong}`
  }
  for (const [at, one] of entities.entries())
    for (const other of entities.slice(at + 1)) {
      const wrong = wrongPair(one, other)
      if (wrong !== undefined) return `can't parse entities: ${wrong}`
    }
  return undefined
}

function wrongEntity(text: string, entity: MessageEntity): string | undefined {
  const { type, offset, length } = entity
  if (!STYLES.has(type) && !QUOTES.has(type) && !WHOLE.has(type)) return `unsupported type ${type}`
  if (!Number.isInteger(offset) || offset < 0) return `receive an entity with incorrect offset ${offset}`
  if (!Number.isInteger(length) || length <= 0) return `receive an entity with incorrect length ${length}`
  if (offset >= text.length) return `entity begins after the end of the text at UTF-16 offset ${offset}`
  const end = offset + length
  if (end > text.length)
    return `entity beginning at UTF-16 offset ${offset} ends after the end of the text at UTF-16 offset ${end}`
  if (splitsCharacter(text, offset))
    return `entity begins in a middle of a UTF-16 symbol at UTF-16 offset ${offset}`
  if (splitsCharacter(text, end))
    return `entity beginning at UTF-16 offset ${offset} ends in a middle of a UTF-16 symbol at UTF-16 offset ${end}`
  if (entity.type === 'text_link' && !isLink(entity.url))
    return `wrong URL ${JSON.stringify(entity.url)}, which the server would drop`
  return undefined
}

const splitsCharacter = (text: string, at: number) =>
  /^[\udc00-\udfff]/.test(text.slice(at, at + 1)) && /[\ud800-\udbff]$/.test(text.slice(0, at))

/** Whether the server keeps an address as a link. It drops addresses of this computer and of files. */
function isLink(address: unknown): boolean {
  const url = typeof address === 'string' ? URL.parse(address) : null
  if (!url) return false
  if (/^(?:tg|ton|mailto|tel):$/.test(url.protocol)) return true
  return /^(?:https?|ftp):$/.test(url.protocol) && /[^.]\.[^.]/.test(url.hostname)
}

function wrongPair(one: MessageEntity, other: MessageEntity): string | undefined {
  const [first, second] = [one, other].toSorted((a, b) => a.offset - b.offset || b.length - a.length)
  if (!first || !second || second.offset >= first.offset + first.length) return undefined
  const both = `${first.type} at ${first.offset} and ${second.type} at ${second.offset}`
  if (second.offset + second.length > first.offset + first.length) return `${both} overlap`
  if (first.type === second.type) return `${both} contain each other`
  if ([first, second].some(each => each.type === 'code' || each.type === 'pre'))
    // Only a quote may contain code.
    return QUOTES.has(first.type) ? undefined : `${both} contain each other`
  if (STYLES.has(first.type) || STYLES.has(second.type)) return undefined
  return QUOTES.has(first.type) && WHOLE.has(second.type) ? undefined : `${both} contain each other`
}

// oxlint-disable-next-line no-control-regex -- they are what becomes a space
const BECOME_SPACES = /[\u0000-\u0009\u000b\u000c\u000e-\u001f]/g
/** Line separators, characters that change the text direction, and marks that strike text through. */
const REMOVED = /[\r\u2028-\u202e]|\u0333|\u033f|\u030a/

/** A text without the characters that the server removes, with shifted entities. */
function storedText(
  text: string,
  entities: readonly MessageEntity[],
): { text: string; entities: MessageEntity[] } {
  const places: number[] = []
  let cleaned = ''
  for (const unit of text.split('')) {
    places.push(cleaned.length)
    if (!REMOVED.test(unit)) cleaned += unit
  }
  places.push(cleaned.length)
  cleaned = cleaned.replace(BECOME_SPACES, ' ')
  const end = cleaned.replace(/[ \n]+$/, '').length
  const moved = entities
    .map(entity => ({
      entity,
      from: places[entity.offset] ?? 0,
      to: Math.min(places[entity.offset + entity.length] ?? 0, end),
    }))
    .filter(({ from, to }) => /[^ \n]/.test(cleaned.slice(from, to)))
  const spaces = cleaned.length - cleaned.replace(/^[ \n]+/, '').length
  const start = Math.min(spaces, end, ...moved.map(({ from }) => from))
  return {
    text: cleaned.slice(start, end),
    entities: moved.map(({ entity, from, to }) => ({ ...entity, offset: from - start, length: to - from })),
  }
}

/** The entities that the server detects in people's messages: commands, mentions and addresses. */
export function foundEntities(text: string): MessageEntity[] {
  const kinds = [
    ['bot_command', /(?<![\w/])\/[A-Za-z0-9_]{1,32}(?:@\w+)?(?![\w/])/g],
    ['mention', /(?<![\w@/])@[A-Za-z]\w{3,31}\b/g],
    ['url', /\bhttps?:\/\/[^\s<>"]+/g],
  ] as const
  return kinds
    .flatMap(([type, pattern]) =>
      [...text.matchAll(pattern)].map(({ 0: found, index }) => ({
        type,
        offset: index,
        length: found.length,
      })),
    )
    .toSorted((a, b) => a.offset - b.offset)
}
