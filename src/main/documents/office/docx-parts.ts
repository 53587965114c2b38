import type { ZipMembers } from '../document.ts'
import { walkMarkup } from '../web/markup.ts'

/** Heading levels by style id; a title has level 1. */
export function headingStyles(zip: ZipMembers): Map<string, number> {
  const found = new Map<string, number>()
  const basedOn = new Map<string, string>()
  let id = ''
  walkMarkup(zip.text('word/styles.xml') ?? '', {
    open(tag) {
      if (tag.name === 'style') id = tag.get('styleId') ?? ''
      else if (tag.name === 'basedOn') basedOn.set(id, tag.get('val') ?? '')
      else if (tag.name === 'name') {
        const name = tag.get('val')?.toLowerCase() ?? ''
        const level = /^heading ([1-9])$/.exec(name)?.[1]
        if (level !== undefined) found.set(id, Number(level))
        if (name === 'title') found.set(id, 1)
      } else if (tag.name === 'outlineLvl' && !found.has(id)) {
        const level = Number(tag.get('val') ?? 9)
        if (level < 9) found.set(id, level + 1)
      }
    },
  })
  for (const [style] of basedOn) {
    let base = basedOn.get(style)
    // A style may be based on itself, through other styles.
    for (let steps = 0; base !== undefined && steps < 20 && !found.has(style); steps++) {
      const level = found.get(base)
      if (level !== undefined) found.set(style, level)
      base = basedOn.get(base)
    }
  }
  return found
}

/** Numbering of list levels (`bullet`, `decimal`, …), by `id/level`. */
export function listFormats(zip: ZipMembers): Map<string, string> {
  const abstract = new Map<string, string>()
  const found = new Map<string, string>()
  let list = ''
  let level = ''
  let number = ''
  walkMarkup(zip.text('word/numbering.xml') ?? '', {
    open(tag) {
      if (tag.name === 'abstractNum') list = tag.get('abstractNumId') ?? ''
      else if (tag.name === 'lvl') level = tag.get('ilvl') ?? ''
      else if (tag.name === 'numFmt') abstract.set(`${list}/${level}`, tag.get('val') ?? '')
      else if (tag.name === 'num') number = tag.get('numId') ?? ''
      else if (tag.name === 'abstractNumId')
        for (let each = 0; each < 9; each++) {
          const format = abstract.get(`${tag.get('val') ?? ''}/${each}`)
          if (format !== undefined) found.set(`${number}/${each}`, format)
        }
    },
  })
  return found
}

/** Comments (with author), footnotes and endnotes, by id. */
export function remarksIn(
  xml: string | undefined,
  element: string,
): Map<string, { author: string; text: string }> {
  const found = new Map<string, { author: string; text: string }>()
  let open: { id: string; author: string; text: string } | undefined
  let isText = false
  walkMarkup(xml ?? '', {
    open(tag) {
      if (tag.name === element) {
        const isSign = /eparator|Notice/.test(tag.get('type') ?? '')
        open = isSign ? undefined : { id: tag.get('id') ?? '', author: tag.get('author') ?? '', text: '' }
      } else if (tag.name === 't') isText = true
      else if (open && (tag.name === 'p' || tag.name === 'br' || tag.name === 'tab')) open.text += ' '
    },
    text: text => void (open && isText && (open.text += text)),
    close(name) {
      if (name === 't') isText = false
      if (name === element && open) {
        const text = open.text.replaceAll(/\s+/g, ' ').trim()
        if (text !== '') found.set(open.id, { author: open.author, text })
        open = undefined
      }
    },
  })
  return found
}
