import type { ZipMembers } from '../document.ts'
import { walkMarkup } from '../web/markup.ts'

/** The elements above and below a page, also those of first and left pages. */
const HEADS = /^(?:header|footer)(?:-(?:first|left))?$/
/** What the program fills in anew on each page, and what is no text of the page. */
const SKIPPED = new Set(['page-number', 'page-count', 'annotation', 'tracked-changes'])

/** The texts that an OpenDocument text has above and below its pages, each one once. */
export function textsOfHeads(zip: ZipMembers): string[] {
  const found = new Set<string>()
  let text: string | undefined
  let skipped = 0
  walkMarkup(zip.text('styles.xml') ?? '', {
    open(tag) {
      if (HEADS.test(tag.name)) text = tag.get('display') === 'false' ? undefined : ''
      else if (SKIPPED.has(tag.name)) skipped++
      else if (text !== undefined && /^(?:p|h|s|tab|line-break)$/.test(tag.name)) text += ' '
    },
    text: each => void (skipped === 0 && text !== undefined && (text += each)),
    close(name) {
      if (SKIPPED.has(name)) skipped--
      if (!HEADS.test(name) || text === undefined) return
      const bare = text.replaceAll(/\s+/g, ' ').trim()
      if (bare !== '') found.add(bare)
      text = undefined
    },
  })
  return [...found]
}
