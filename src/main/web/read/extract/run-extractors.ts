import { Readability } from '@mozilla/readability'
import { DefuddleClass } from 'defuddle/node'
import type { PageDocument } from '../dom.ts'
import { keptIn } from './mark-elements.ts'

/** The elements that an extractor keeps, by number. `html`: written by an extractor made for this site. */
export type Kept = { elements: Set<number>; html?: string }

/** Run Defuddle, without its network requests. */
export function runDefuddle(document: PageDocument, address: string): Kept {
  const page = document as PageDocument & {
    styleSheets?: unknown
    defaultView?: { getComputedStyle?: unknown } | null
  }
  page.styleSheets ??= []
  if (page.defaultView) page.defaultView.getComputedStyle ??= () => ({ display: '' })
  const refuse = () => Promise.reject(new Error('Nothing is fetched here.'))
  const result = new DefuddleClass(page as never, {
    url: address,
    useAsync: false,
    standardize: false,
    fetch: refuse,
  }).parse()
  const elements = keptIn(result.content)
  return result.extractorType === undefined ? { elements } : { elements, html: result.content }
}

/** Run Readability, which changes the document. */
export function runReadability(document: PageDocument): Kept {
  const reader = new Readability(document as never, { keepClasses: true, charThreshold: 200 })
  return { elements: keptIn(reader.parse()?.content ?? '') }
}
