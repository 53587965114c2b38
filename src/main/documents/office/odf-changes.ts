import { walkMarkup } from '../web/markup.ts'

/** Texts deleted by tracked changes, with their authors, and the authors of all changes, by id. */
export function removedTexts(xml: string): {
  removed: Map<string, { author: string; text: string }>
  authors: Map<string, string>
  count: number
} {
  const removed = new Map<string, { author: string; text: string }>()
  const authors = new Map<string, string>()
  const start = xml.indexOf('tracked-changes')
  const end = xml.indexOf('tracked-changes>', start + 15)
  if (start === -1 || end === -1) return { removed, authors, count: 0 }
  let id = ''
  let author = ''
  let text = ''
  let isDeletion = false
  let isCreator = false
  let paragraphs = 0
  walkMarkup(xml.slice(xml.lastIndexOf('<', start), end), {
    open(tag) {
      if (tag.name === 'changed-region') {
        id = tag.get('id') ?? ''
        author = ''
        text = ''
      } else if (tag.name === 'deletion') isDeletion = true
      else if (tag.name === 'creator') isCreator = true
      else if (tag.name === 'p' || tag.name === 'h') {
        paragraphs++
        text += ' '
      } else if (tag.name === 's' || tag.name === 'tab') text += ' '
    },
    text(each) {
      if (isCreator) author += each
      else if (isDeletion && paragraphs > 0) text += each
    },
    close(name) {
      if (name === 'creator') isCreator = false
      else if (name === 'p' || name === 'h') paragraphs--
      else if (name === 'deletion') isDeletion = false
      else if (name === 'changed-region') {
        authors.set(id, author)
        const bare = text.replaceAll(/\s+/g, ' ').trim()
        if (bare !== '') removed.set(id, { author, text: bare })
      }
    },
  })
  return { removed, authors, count: authors.size }
}
