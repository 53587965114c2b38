/**
 * The program that runs inside the page, as text, because it must not be compiled here. It finds the texts of
 * the page and their positions, expands what users can scroll or open, and makes lots of texts transparent.
 * Properties of the document come from prototypes, because a page can replace them with named elements. Only
 * texts of the elements in `among` count.
 */
export const pageProgram = (attribute: string, among: readonly number[]): string => `(() => {
  const among = new Set(${JSON.stringify(among)}.map(String))
  const get = (proto, name) => Object.getOwnPropertyDescriptor(proto, name).get.call(document)
  const root = get(Document.prototype, 'documentElement')
  const call = (proto, name, target, ...values) => proto[name].apply(target, values)
  const all = [...call(Document.prototype, 'querySelectorAll', document, '*')]
  const attr = element => call(Element.prototype, 'getAttribute', element, ${JSON.stringify(attribute)})
  const set = (element, name, value) => {
    if (element.style instanceof CSSStyleDeclaration) element.style.setProperty(name, value, 'important')
  }
  const sheet = call(Document.prototype, 'createElement', document, 'style')
  let css = '*,*::before,*::after{transition:none!important;caret-color:transparent!important;scroll-behavior:auto!important}'
  for (let g = 0; g < 6; g++)
    css += '::highlight(talaria' + g + '){color:transparent;-webkit-text-fill-color:transparent;-webkit-text-stroke-color:transparent;text-shadow:none;text-decoration-color:transparent;fill:transparent;stroke:transparent}'
  sheet.textContent = css
  root.append(sheet)
  for (const each of call(Document.prototype, 'getAnimations', document)) {
    try { each.finish() } catch { each.pause() }
  }
  const hasScripts = all.some(each => each.localName === 'script')
  for (const each of all) {
    if (each.localName === 'details') call(Element.prototype, 'setAttribute', each, 'open', '')
    if (hasScripts && (each.localName === 'body' || each.localName === 'html')) {
      set(each, 'visibility', 'visible'); set(each, 'opacity', '1')
      if (getComputedStyle(each).display === 'none') set(each, 'display', 'block')
    }
  }
  if (hasScripts) for (const each of all) {
    const style = getComputedStyle(each)
    if (style.position !== 'fixed' || each.localName === 'body') continue
    const box = call(Element.prototype, 'getBoundingClientRect', each)
    if (box.width >= innerWidth * 0.9 && box.height >= innerHeight * 0.85) set(each, 'display', 'none')
  }
  for (const each of all) {
    if (each.localName === 'html' || each.localName === 'body' || each.localName === 'textarea') continue
    const style = getComputedStyle(each)
    const canScroll = value => value === 'auto' || value === 'scroll'
    const goesDown = canScroll(style.overflowY) && each.scrollHeight > each.clientHeight + 2
    const goesOn = canScroll(style.overflowX) && each.scrollWidth > each.clientWidth + 2
    if ((!goesDown && !goesOn) || each.clientHeight < 16 || each.clientWidth < 40) continue
    if (goesDown) { set(each, 'height', 'auto'); set(each, 'max-height', 'none') }
    if (goesOn) set(each, 'white-space', 'pre-wrap')
    set(each, 'overflow', 'visible')
  }
  const texts = []
  const walker = call(Document.prototype, 'createTreeWalker', document, root, NodeFilter.SHOW_TEXT)
  const range = () => call(Document.prototype, 'createRange', document)
  while (walker.nextNode() && texts.length < 30000) {
    const node = walker.currentNode
    const parent = node.parentElement
    if (!parent || !/\\S/.test(node.data) || parent === sheet) continue
    if (/^(?:script|style|title|template|noscript|textarea|option)$/.test(parent.localName) && parent.namespaceURI.endsWith('xhtml')) continue
    const stamp = attr(parent)
    if (stamp === null || !among.has(stamp)) continue
    const around = range()
    around.selectNodeContents(node)
    const style = getComputedStyle(parent)
    texts.push({ node, around, stamp, text: node.data, style })
  }
  const state = { texts, root, dimmed: [] }
  globalThis.__seen = state
  const x0 = scrollX, y0 = scrollY
  const size = { width: Math.max(root.scrollWidth, innerWidth), height: Math.max(root.scrollHeight, innerHeight) }
  const rectsOf = each => [...each.around.getClientRects()].slice(0, 400)
    .filter(r => r.width > 0.5 && r.height > 0.5)
    .map(r => [Math.round(r.left + x0), Math.round(r.top + y0), Math.round(r.width * 10) / 10, Math.round(r.height * 10) / 10])
  return {
    size,
    texts: texts.map(each => {
      let cut = false
      for (let at = each.node.parentElement, n = 0; at && n < 6; at = at.parentElement, n++)
        if (getComputedStyle(at).webkitBackgroundClip.includes('text')) cut = true
      return {
        stamp: each.stamp, text: each.text, rects: rectsOf(each), cut,
        fixed: (() => { for (let at = each.node.parentElement; at; at = at.parentElement) { const p = getComputedStyle(at).position; if (p === 'fixed' || p === 'sticky') return true } return false })(),
        shown: each.style.visibility === 'visible' && (each.style.webkitTextSecurity ?? 'none') === 'none',
      }
    }),
  }
})()`

/** Show all texts again. SVG text has no highlights, so it is hidden with its element. */
const SHOW_ALL = `CSS.highlights.clear()
  for (const { style, value, priority } of globalThis.__seen.dimmed.splice(0).reverse()) style.setProperty('opacity', value, priority)`

/** Make the texts of one lot transparent. */
export const clearTexts = (lot: number, indexes: readonly number[]): string => `(() => {
  ${SHOW_ALL}
  const { texts, dimmed } = globalThis.__seen
  const lot = new Highlight()
  for (const at of ${JSON.stringify(indexes)}) {
    const { node, around } = texts[at]
    const { style, namespaceURI } = node.parentElement
    if (!namespaceURI.endsWith('svg')) lot.add(around)
    else {
      dimmed.push({ style, value: style.getPropertyValue('opacity'), priority: style.getPropertyPriority('opacity') })
      style.setProperty('opacity', '0', 'important')
    }
  }
  CSS.highlights.set('talaria${lot}', lot)
})()`

/** Scroll the page, show all of its texts, and return its position and those of fixed texts. */
export const scrollPage = (x: number, y: number, fixed: readonly number[]): string => `(() => {
  scrollTo(${x}, ${y})
  ${SHOW_ALL}
  return { x: Math.round(scrollX), y: Math.round(scrollY), fixed: ${JSON.stringify(fixed)}.map(at =>
    [...globalThis.__seen.texts[at].around.getClientRects()].slice(0, 100).filter(r => r.width > 0.5 && r.height > 0.5).map(r => [Math.round(r.left), Math.round(r.top), r.width, r.height])) }
})()`
