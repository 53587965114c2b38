import { isElement, isText, nameOf, type PageElement, type PageNode } from '../dom.ts'
import { namesOf } from './element-kinds.ts'

/** Read a formula as `$…$` or `$$…$$`; undefined if it is not one, empty if it is a second copy. */
export function readFormula(element: PageElement): string | undefined {
  const name = nameOf(element)
  if (name === 'math') return asFormula(texOf(element), element.getAttribute('display') === 'block')
  if (name === 'script') {
    const type = element.getAttribute('type') ?? ''
    if (!/^math\/tex/i.test(type)) return undefined
    return asFormula(element.textContent ?? '', /mode\s*=\s*display/i.test(type))
  }
  const names = namesOf(element)
  if (name === 'img') {
    const alt = element.getAttribute('alt') ?? ''
    return /(?:^|[\s_-])(?:tex|latex|math|mwe-math-fallback-image\S*)(?=$|[\s_-])/.test(names) &&
      /[\\^_={}]/.test(alt)
      ? asFormula(alt, false)
      : undefined
  }
  if (!/katex|mathjax|mjx|mwe-math/.test(names) && !name.startsWith('mjx-')) return undefined
  if (/mathjax_preview|katex-html/.test(names)) return ''
  const math = element.querySelector('math')
  if (math === null) {
    // The source is beside the output of MathJax.
    const beside = element.nextSibling
    const isShown =
      beside !== null && isElement(beside) && (beside.getAttribute('type') ?? '').startsWith('math/tex')
    return isShown ? '' : undefined
  }
  if (/mathjax|mjx/.test(names)) {
    const beside = element.nextSibling
    if (beside !== null && isElement(beside) && (beside.getAttribute('type') ?? '').startsWith('math/tex'))
      return ''
  }
  return asFormula(texOf(math), math.getAttribute('display') === 'block' || /display/.test(names))
}

function asFormula(tex: string, isBlock: boolean): string {
  const bare = tex
    .trim()
    .replace(/^\{\\displaystyle\s*([^]*)\}$/, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim()
  if (bare === '') return ''
  return isBlock ? `$$${bare}$$` : `$${bare}$`
}

function texOf(math: PageElement): string {
  const source = [...math.querySelectorAll('annotation')].find(each =>
    /tex/i.test(each.getAttribute('encoding') ?? ''),
  )
  if (source) return source.textContent ?? ''
  return math.getAttribute('alttext') ?? say(math)
}

const childrenOf = (node: PageElement): PageElement[] => [...node.childNodes].filter(isElement)
const group = (text: string) => (text.length > 1 ? `{${text}}` : text)

/** Write MathML as TeX, as far as school mathematics goes. */
function say(node: PageNode): string {
  if (isText(node)) return (node.textContent ?? '').trim()
  if (!isElement(node)) return ''
  const parts = childrenOf(node)
  const at = (index: number) => (parts[index] === undefined ? '' : say(parts[index]))
  switch (nameOf(node)) {
    case 'annotation':
    case 'annotation-xml':
      return ''
    case 'mfrac':
      return `\\frac{${at(0)}}{${at(1)}}`
    case 'msup':
      return `${at(0)}^${group(at(1))}`
    case 'msub':
      return `${at(0)}_${group(at(1))}`
    case 'msubsup':
    case 'munderover':
      return `${at(0)}_${group(at(1))}^${group(at(2))}`
    case 'munder':
      return `${at(0)}_${group(at(1))}`
    case 'mover':
      return `${at(0)}^${group(at(1))}`
    case 'msqrt':
      return `\\sqrt{${parts.map(say).join(' ')}}`
    case 'mroot':
      return `\\sqrt[${at(1)}]{${at(0)}}`
    case 'mtext':
      return `\\text{${(node.textContent ?? '').trim()}}`
    case 'mtr':
      return `${parts.map(say).join(' & ')} \\\\ `
    default:
      return [...node.childNodes].map(say).filter(Boolean).join(' ')
  }
}
