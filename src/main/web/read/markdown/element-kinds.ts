import { nameOf, type PageElement } from '../dom.ts'

const words = (text: string) => new Set(text.split(/\s+/))

/** Elements that begin a block of their own. */
export const BLOCKS = words(
  `address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form frameset h1 h2
  h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav noscript ol optgroup option p plaintext pre search section
  summary table tbody td tfoot th thead tr ul xmp caption`,
)
/** What is no text of a page. */
export const UNREAD = words(
  `script style template svg object embed iframe canvas select datalist head audio video source track map area button input
  progress meter frame noframes rp link meta base title dialog`,
)
/** Elements whose white space counts. */
export const PREFORMATTED = words('pre listing xmp plaintext')

/** Whether an element is a block, by its name. */
export const isBlock = (element: PageElement): boolean => BLOCKS.has(nameOf(element))

/** The classes and the id of an element in one text, in small letters. */
export const namesOf = (element: PageElement): string =>
  `${element.getAttribute('class') ?? ''} ${element.getAttribute('id') ?? ''}`.toLowerCase()

/** A number in an attribute such as `colspan`, at least 1 and at most `most`. */
export function countOf(element: PageElement, attribute: string, most: number): number {
  const number = Number.parseInt(element.getAttribute(attribute) ?? '1', 10)
  return Number.isFinite(number) ? Math.min(Math.max(number, 1), most) : 1
}

/** A text with its white space as a browser shows it, without signs that only say where a word may break. */
export const squeezeSpace = (text: string): string =>
  text.replaceAll(/[\u00ad\u200b\ufeff]/g, '').replaceAll(/\s+/g, ' ')
