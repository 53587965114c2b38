import { posix } from 'node:path'
import { DocumentTrouble, MOST_CHARACTERS, type Reader } from '../document.ts'
import { walkMarkup } from './markup.ts'
import { pageText } from './html.ts'

/** Read an EPUB book: its chapters in reading order. */
export const readEpub: Reader = ({ zip, isLate }) => {
  let root: string | undefined
  walkMarkup(zip?.text('META-INF/container.xml') ?? '', {
    open: tag => void (tag.name === 'rootfile' && (root ??= tag.get('full-path'))),
  })
  const list = root === undefined ? undefined : zip?.text(root)
  if (!zip || root === undefined || list === undefined) throw new DocumentTrouble('is a damaged book')
  const files = new Map<string, string>()
  const order: string[] = []
  const facts: string[] = []
  let fact: string | undefined
  walkMarkup(list, {
    open(tag) {
      if (tag.name === 'item') files.set(tag.get('id') ?? '', tag.get('href') ?? '')
      if (tag.name === 'itemref') order.push(tag.get('idref') ?? '')
      fact = tag.name === 'title' || tag.name === 'creator' ? '' : undefined
    },
    text: text => void (fact !== undefined && (fact += text)),
    close() {
      if (fact !== undefined && fact.trim() !== '') facts.push(fact.trim())
      fact = undefined
    },
  })
  const isWithoutOrder = order.length === 0
  if (isWithoutOrder) for (const [id, href] of files) if (/\.x?html?(?:#|$)/i.test(href)) order.push(id)
  // A valid book names each chapter once; a hostile one could repeat it a million times.
  const chapters = [...new Set(order)]
  const locked = lockedFiles(zip.text('META-INF/encryption.xml') ?? '')
  const pages: string[] = []
  let missing = 0
  let isLocked = false
  let characters = 0
  let read = 0
  for (const id of chapters) {
    if (isLate() || characters > MOST_CHARACTERS) break
    read++
    const href = files.get(id)
    const name = href === undefined ? '' : posix.join(posix.dirname(root), decoded(href))
    if (locked.has(name)) {
      isLocked = true
      continue
    }
    const chapter = zip.text(name)
    if (chapter === undefined) missing++
    const { text } = pageText(chapter ?? '')
    if (text.trim() === '') continue
    pages.push(text)
    characters += text.length
  }
  if (pages.length === 0 && isLocked)
    throw new DocumentTrouble('is a book with copy protection, which Talaria cannot read')
  if (facts.length > 0 && pages.length > 0) pages[0] = `${facts.join(', ')}\n\n${pages[0]}`
  return {
    pages,
    problems: [
      ...(missing > 0 ? [`${missing} of ${chapters.length} chapters are missing.`] : []),
      ...(isLocked ? ['Some chapters have copy protection, and are not read.'] : []),
      ...(read < chapters.length ? [`Only ${read} of ${chapters.length} chapters were read.`] : []),
      ...(isWithoutOrder
        ? ['It does not say the order of its chapters, so they stand in the order of its list.']
        : []),
      ...(chapters.length < order.length ? ['It names chapters more than once; each is read once.'] : []),
    ],
  }
}

const decoded = (href: string): string => {
  const bare = href.split('#')[0] ?? ''
  return URL.canParse(`x:${bare}`) && !/%(?![\da-f]{2})/i.test(bare) ? safelyDecoded(bare) : bare
}

function safelyDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return text
    throw error
  }
}

/** The encrypted files of a book. Fonts are often encrypted, which does not matter. */
function lockedFiles(xml: string): Set<string> {
  const found = new Set<string>()
  walkMarkup(xml, {
    open: tag => void (tag.name === 'CipherReference' && found.add(decoded(tag.get('URI') ?? ''))),
  })
  return found
}
