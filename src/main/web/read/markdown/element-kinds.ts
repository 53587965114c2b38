import { nameOf, type PageElement } from '../dom.ts'

const words = (text: string) => new Set(text.split(/\s+/))

/** Elements that begin their own block. */
export const BLOCKS = words(
  `address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form frameset h1 h2
  h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav noscript ol optgroup option p plaintext pre search section
  summary table tbody td tfoot th thead tr ul xmp caption`,
)
/** Elements that are not part of the page's text. */
export const UNREAD = words(
  `script style template svg object embed iframe canvas select datalist head audio video source track map area button input
  progress meter frame noframes rp link meta base title dialog`,
)
/** Elements whose white space matters. */
export const PREFORMATTED = words('pre listing xmp plaintext')

/** Whether an element is a block, by its name. */
export const isBlock = (element: PageElement): boolean => BLOCKS.has(nameOf(element))

/** The classes and the id of an element as one text in lower case. */
export const namesOf = (element: PageElement): string =>
  `${element.getAttribute('class') ?? ''} ${element.getAttribute('id') ?? ''}`.toLowerCase()

/** A number in an attribute such as `colspan`, from 1 to `most`. */
export function countOf(element: PageElement, attribute: string, most: number): number {
  const number = Number.parseInt(element.getAttribute(attribute) ?? '1', 10)
  return Number.isFinite(number) ? Math.min(Math.max(number, 1), most) : 1
}

/** Collapse white space as a browser does, and remove marks for optional word breaks. */
export const squeezeSpace = (text: string): string =>
  text.replaceAll(/[\u00ad\u200b\ufeff]/g, '').replaceAll(/\s+/g, ' ')
