import { inOneLine, type Box } from './page-nodes.ts'

/** Elements whose text browsers never show. */
const NEVER = new Set(
  (
    'template script style datalist noembed noframes iframe object canvas audio video map area rp param progress meter ' +
    'annotation annotation-xml metadata desc defs symbol base link track source embed slot-fallback portal applet frameset'
  ).split(' '),
)

/** Whether an element is never shown, or only after an action that the page does not announce. */
export function isNeverShown(box: Box): boolean {
  const { tag, element, parent } = box
  // A canonical address on the same site is shown.
  if (tag === 'link' && /^canonical$/i.test(element.getAttribute('rel') ?? '')) return false
  if (NEVER.has(tag)) return !(tag.startsWith('annotation') && isFormula(element.textContent ?? ''))
  if (tag === 'title') return parent?.tag !== 'head'
  if (tag === 'option' || tag === 'optgroup') return !isShownOption(box)
  if (tag === 'input') return true
  return false
}

/** Whether an option is shown: a closed list shows its selected or first entry, unless it is too long. */
function isShownOption(box: Box): boolean {
  if (box.tag === 'optgroup') return true
  if (inOneLine(box.element.textContent ?? '').length > 60) return false
  let list = box.parent
  while (list && list.tag !== 'select') list = list.parent
  if (!list) return true
  if (box.element.getAttribute('selected') !== null || Number(list.element.getAttribute('size') ?? 1) > 1)
    return true
  if (list.element.getAttribute('multiple') !== null) return true
  const options = list.children.flatMap(child => (child.tag === 'optgroup' ? child.children : [child]))
  return options.every(each => each.element.getAttribute('selected') === null) && options[0] === box
}

/**
 * Whether a text can only be the source of a formula: it has no four words in a row. Such sources are hidden
 * beside the drawn formula. Without them, the formula would be lost.
 */
export const isFormula = (text: string): boolean =>
  text.length < 2_000 && !/(?:\p{L}{2,}[\s~.,;:!?_-]+){3}\p{L}{2,}/u.test(text.replace(/\\[a-z]+/gi, ' | '))

/** Names of elements with the source of a formula for programs. */
const FORMULA = /^(?:katex-mathml|mwe-math-mathml.*|mjx-assistive-mml|MathJax_Preview|MJX_Assistive_MathML)$/i

/** Whether an element contains the source of a formula that is drawn beside it. */
export const isFormulaSource = (box: Box): boolean =>
  (box.classes.some(name => FORMULA.test(name)) || box.tag === 'math' || box.tag === 'mjx-assistive-mml') &&
  isFormula(box.element.textContent ?? '')

const CLASSES =
  /^(?:(?:u-|is-|has-|util-|uk-|govuk-|wp-)?(?:sr-only|visually-?hidden|screen-?reader(?:-text|-only)?|element-invisible|hidden|invisible|hide|offscreen|off-screen|a11y-hidden|hidden-visually|visuallyhidden|display-none)|d-none|d-print-block|d-print-inline|print-only|visible-print(?:-block|-inline)?|clip-text|accessibly-hidden|assistive-text|show-for-sr|cdk-visually-hidden|MuiBox-hidden)$/i
const SHOWN_AGAIN =
  /^(?:(?:sm|md|lg|xl)[:-](?:block|flex|grid|inline|inline-block|inline-flex|table|table-cell|contents|visible|not-sr-only)|d-(?:sm|md|lg|xl)-(?:block|flex|grid|inline.*|table.*)|not-sr-only|show|visible|open|is-active|active)$/i

/** Whether an element has a class that commonly hides, on a page whose sheets are missing. */
const hasHidingClass = ({ classes }: Box): boolean =>
  classes.some(name => CLASSES.test(name)) && !classes.some(name => SHOWN_AGAIN.test(name))

/** Defaults of browsers and old HTML attributes, before any sheet. `areSheetsMissing`: class names count. */
export function presetOf(box: Box, areSheetsMissing: boolean): [string, string][] {
  const { tag, element } = box
  const set: [string, string][] = []
  const attribute = (name: string) => element.getAttribute(name)
  if (attribute('hidden') !== null || attribute('popover') !== null) set.push(['display', 'none'])
  if (tag === 'dialog' && attribute('open') === null) set.push(['display', 'none'])
  if (areSheetsMissing && hasHidingClass(box)) set.push(['display', 'none'])
  const ground = attribute('bgcolor')
  if (ground !== null) set.push(['background-color', withHash(ground)])
  if (attribute('background')) set.push(['background-image', 'url(x)'])
  if (tag === 'body' && attribute('text') !== null) set.push(['color', withHash(attribute('text') ?? '')])
  if (tag === 'font') {
    const [color, size] = [attribute('color'), Number(attribute('size') ?? 3)]
    if (color !== null) set.push(['color', withHash(color)])
    if (size <= 7)
      set.push([
        'font-size',
        ['10px', '10px', '13px', '16px', '18px', '24px', '32px', '48px'][Math.max(0, size)] ?? '16px',
      ])
  }
  if (tag === 'a' && attribute('href') !== null) set.push(['color', '#0000ee'])
  if (tag === 'mark') set.push(['background-color', '#ffff00'], ['color', '#000000'])
  if (/^(?:button|select|textarea)$/.test(tag))
    set.push(['background-color', '#efefef'], ['color', '#000000'])
  if (tag === 'marquee')
    set.push(
      (attribute('width') ?? attribute('height') ?? '').startsWith('0')
        ? ['display', 'none']
        : ['overflow-x', 'visible'],
    )
  if (tag === 'svg' && (attribute('width') === '0' || attribute('height') === '0'))
    set.push(['display', 'none'])
  if (/^(?:text|tspan|textpath)$/.test(tag)) set.push(...svgText(box))
  return set
}

const withHash = (color: string) => (/^[0-9a-f]{6}$/i.test(color.trim()) ? `#${color.trim()}` : color)

/** Declarations from SVG attributes for text. Its background is unknown, so only its own look counts. */
function svgText({ element }: Box): [string, string][] {
  const set: [string, string][] = [['background-image', 'url(x)']]
  for (const name of ['opacity', 'display', 'visibility', 'font-size']) {
    const value = element.getAttribute(name)
    if (value !== null) set.push([name, value])
  }
  const fill = element.getAttribute('fill')
  if (Number(element.getAttribute('x') ?? 0) < -100 || Number(element.getAttribute('y') ?? 0) < -50)
    set.push(['display', 'none'])
  const isFaint = Number(element.getAttribute('fill-opacity') ?? 1) < 0.1
  if (isFaint || /^(?:none|transparent)$/i.test(fill ?? '')) set.push(['opacity', '0'])
  else if (
    /^(?:white|#fff|#ffffff)$/i.test(fill ?? '') &&
    !hasDrawing(element.parentNode?.firstChild ?? null)
  )
    set.push(['opacity', '0'])
  return set
}

function hasDrawing(first: Box['element']['firstChild']): boolean {
  for (let node = first; node; node = node.nextSibling)
    if (
      'localName' in node &&
      /^(?:rect|path|circle|image|polygon|ellipse|use|g)$/.test(String(node.localName))
    )
      return true
  return false
}
