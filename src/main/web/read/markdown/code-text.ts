import { isElement, isText, nameOf, type PageElement, type PageNode } from '../dom.ts'
import { isBlock, namesOf, PREFORMATTED } from './element-kinds.ts'

/** A piece of code: its exact lines, and its language if the page names one. */
type Code = { language: string; text: string }

/** Names of elements beside the code that are not code: line numbers, buttons, copy icons. */
const NO_CODE =
  /(?:^|[\s_-])(?:line-?num(?:ber)?s?|linenos?|linenodiv|gutter|lnt?|hljs-ln-n(?:umbers)?|line-numbers-rows|copy(?:-?(?:btn|button|code|to-clipboard))?|clipboard|btn|toolbar|headerlink|code-?header|lang(?:uage)?-(?:label|name|tag))(?=$|[\s_])/
/** Classes that contain the name of a language. */
const SAYS_LANGUAGE =
  /(?:^|\s)(?:language|lang|highlight-source|highlight|brush:|sourcecode|src|hljs language|code-)[-:]?\s*([a-z][\w+#.-]*)/
const NO_LANGUAGE = new Set(
  `notranslate default none text plaintext plain txt block code wrapper container box highlight line numbers linenos wrap copy
  toolbar pre inline example source content body area table nohighlight no-highlight auto undefined null raw output en fr de es`.split(
    /\s+/,
  ),
)
const KNOWN_LANGUAGE =
  /^(?:abap|ada|apache|asm|awk|bash|basic|batch|c|clojure|cmake|console|cpp|c\+\+|cs|csharp|c#|css|csv|d|dart|diff|docker|dockerfile|elixir|elm|erlang|fortran|fsharp|go|golang|gradle|graphql|groovy|haskell|hcl|html|http|ini|java|javascript|js|jsx|json|json5|julia|kotlin|latex|tex|less|lisp|lua|makefile|make|markdown|md|matlab|mysql|nginx|nix|objc|objectivec|ocaml|pascal|perl|php|pgsql|powershell|ps1|prolog|properties|protobuf|proto|pycon|python|python3|py|r|ruby|rb|rust|rs|sas|scala|scheme|scss|sass|sh|shell|shell-session|sql|swift|terraform|toml|ts|tsx|typescript|vb|vbnet|verilog|vhdl|vim|vue|wasm|xml|yaml|yml|zig|zsh)$/

/** Read the code of a block: its exact lines, without line numbers and buttons. */
export function readCode(block: PageElement): Code {
  const text = codeText(block).replaceAll('\u00a0', ' ').replaceAll('\r\n', '\n')
  return { language: languageOf(block), text: withoutEmptyLines(text).trimEnd() }
}

/** Remove empty lines at the start of a text. */
function withoutEmptyLines(text: string): string {
  const first = text.search(/\S/)
  return first < 0 ? '' : text.slice(text.lastIndexOf('\n', first) + 1)
}

/** The text of code as on the page, with a line break wherever the page has one. */
function codeText(root: PageElement): string {
  let text = ''
  // The end of an element and a line break written after it are one break.
  let isBroken = false
  const breakLine = () => {
    if (text !== '' && !text.endsWith('\n')) text += '\n'
  }
  const add = (written: string) => {
    if (written === '') return
    text += isBroken ? written.replace(/^\r?\n/, '') : written
    isBroken = false
  }
  const walk = (node: PageNode, depth: number): void => {
    if (isText(node)) {
      add(node.textContent ?? '')
      return
    }
    if (!isElement(node)) return
    const name = nameOf(node)
    if (name === 'br') {
      text += '\n'
      isBroken = false
      return
    }
    if (node !== root && isNoCode(node, name)) return
    // One line of a list or of divisions. One without content is an empty line.
    const isLine = node !== root && isBlock(node) && name !== 'td' && name !== 'th'
    if (isLine) breakLine()
    const before = text.length
    if (depth < 200) for (const child of node.childNodes) walk(child, depth + 1)
    else add(node.textContent ?? '')
    if (isLine && isOneLine(node, name) && (text.length === before || !text.endsWith('\n'))) {
      text += '\n'
      isBroken = true
    }
  }
  walk(root, 0)
  return text
}

const isOneLine = (node: PageElement, name: string) =>
  name === 'li' || name === 'tr' || name === 'p' || (name === 'div' && ![...node.children].some(isBlock))

function isNoCode(element: PageElement, name: string): boolean {
  if (name === 'script' || name === 'style' || name === 'button' || name === 'svg' || name === 'template')
    return true
  if (element.hasAttribute('data-line-number') && (element.textContent ?? '').trim() === '') return true
  if (
    /user-select\s*:\s*none/i.test(element.getAttribute('style') ?? '') &&
    /^[\s\d]*$/.test(element.textContent ?? '')
  )
    return true
  const names = namesOf(element)
  if (!NO_CODE.test(names)) return false
  // Despite its name, the element may still be a line of code if it has letters.
  const said = (element.textContent ?? '').trim()
  return /^[\d\s.:]*$/.test(said) || /copy|clipboard|btn|toolbar|headerlink|lang|header/.test(names)
}

/** The language of a code block, from its classes or those just around it; empty if they name none. */
function languageOf(block: PageElement): string {
  const inner = block.querySelector('code')
  const candidates: (PageElement | null)[] = [
    inner,
    block,
    block.parentElement,
    block.parentElement?.parentElement ?? null,
  ]
  for (const element of candidates) {
    if (element === null) continue
    for (const attribute of ['data-lang', 'data-language', 'data-code-language'])
      if (isLanguage(element.getAttribute(attribute)?.toLowerCase()))
        return element.getAttribute(attribute)!.toLowerCase()
    const classes = (element.getAttribute('class') ?? '').toLowerCase()
    const said = SAYS_LANGUAGE.exec(classes)?.[1]
    if (isLanguage(said)) return said
    const plain = classes.split(/\s+/).find(each => KNOWN_LANGUAGE.test(each))
    if (plain !== undefined) return plain
  }
  return ''
}

const isLanguage = (said: string | undefined): said is string =>
  said !== undefined && said.length <= 20 && /^[a-z][\w+#.-]*$/.test(said) && !NO_LANGUAGE.has(said)

/** The code column of a table that only sets line numbers beside code; undefined for other tables. */
export function codeColumn(table: PageElement): PageElement | undefined {
  const cells = [...table.querySelectorAll('td')]
  if (cells.length === 0) return undefined
  const pres = [...table.querySelectorAll('pre')]
  const isCodeTable =
    /(?:highlight|rouge|code|hljs|crayon|syntax|blob|lineno|listing|diff)/.test(namesOf(table)) ||
    cells.some(cell => /(?:^|[\s_-])(?:gutter|linenos?|line-?num\w*|blob-num)(?=$|[\s_])/.test(namesOf(cell)))
  if (!isCodeTable) return undefined
  const isNumbers = (cell: PageElement) => /^[\s\d]*$/.test(cell.textContent ?? '')
  if (pres.length > 0 && pres.length <= 3) {
    const code = pres.filter(pre => !isNumbers(pre))
    return code.length === 1 ? code[0] : undefined
  }
  // One row per line: numbers in the first column, code in the second.
  const rows = [...table.querySelectorAll('tr')]
  const lines = rows.filter(row => {
    const [first, ...others] = [...row.children]
    return first !== undefined && others.length > 0 && isNumbers(first)
  })
  return rows.length > 0 && lines.length === rows.length ? table : undefined
}

/** Whether an element other than `pre` shows lines of code, as some highlighters write them. */
export function isCodeBlock(element: PageElement): boolean {
  const name = nameOf(element)
  if (PREFORMATTED.has(name)) return true
  if (name === 'code' || name === 'samp' || name === 'kbd') {
    const text = element.textContent ?? ''
    const hasLines = element.querySelector('br') !== null || /\S\n[^\S\n]*\S/.test(text)
    const parent = element.parentElement
    const isAlone = parent !== null && isBlock(parent) && squeezed(parent) === squeezed(element)
    return (
      hasLines &&
      (isAlone ||
        element.querySelector('br') !== null ||
        /white-space\s*:\s*pre|display\s*:\s*block/.test(element.getAttribute('style') ?? ''))
    )
  }
  if (name === 'div' || name === 'span') {
    if (/white-space\s*:\s*pre(?:-wrap)?\s*(?:;|$)/i.test(element.getAttribute('style') ?? '')) {
      const text = element.textContent ?? ''
      return (
        /\bmono|code|courier|consol/i.test(`${element.getAttribute('style') ?? ''} ${namesOf(element)}`) &&
        text.includes('\n')
      )
    }
    if (
      /(?:^|\s)(?:syntaxhighlighter|crayon-pre|codehilite|ace_content|cm-content|codemirror-code|view-lines)(?:$|\s)/.test(
        namesOf(element),
      )
    )
      return element.querySelector('pre, table') === null
  }
  return false
}

const squeezed = (element: PageElement) => (element.textContent ?? '').replaceAll(/\s+/g, '')
