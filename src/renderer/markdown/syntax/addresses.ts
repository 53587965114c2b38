import { changeConstructs, type Code, type Construct, type Effects, type State } from './tokenizer.ts'

/**
 * Characters that end a bare address: full-width punctuation, brackets and quotes of Chinese, Japanese and
 * Korean, and the sentence marks of Arabic and Hindi. They never occur unescaped in an address.
 */
const STOP =
  /[\u2014\u2018-\u201F\u2026\u3000-\u3004\u3008-\u3020\u3030\u303D-\u303F\u30FB\uFE10-\uFE1F\uFE30-\uFE6F\uFF01-\uFF0F\uFF1A-\uFF20\uFF3B-\uFF40\uFF5B-\uFF65\u060C\u061B\u061F\u06D4\u0964\u0965\u00AB\u00BB]/u

const isStop = (code: Code) => code !== null && code > 127 && STOP.test(String.fromCodePoint(code))

/** Letters of scripts without spaces, or whose endings directly follow a word. */
const LETTERS = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]`
const BEFORE_ADDRESS = new RegExp(`[\\p{Script=Thai}\\p{Script=Lao}]|${LETTERS}`, 'u')
/** Words that directly follow an address: Korean endings, Japanese particles. */
const ENDING =
  /(?<=[\w/)])(?:(?:입니다|이에요|예요|이다|에서|에게|으로|이라|라고|라는|까지|부터|처럼|보다|이며|이고|하고|에는|에도)\p{Script=Hangul}*|(?<!\/)[은는이가을를에의로와과도만]|(?<!\/)\p{Script=Hiragana}[\p{Script=Hiragana}\p{Script=Han}\p{Script=Katakana}ー]*)$/u
const WORDS = new RegExp(`(?<=\\w)${LETTERS}+$`, 'u')

/** The start of text that directly follows an address; -1 if there is none. */
function endOfAddress(address: string): number {
  const ending = address.search(ENDING)
  // In a path in that language, and after a question mark, such words can belong to the address.
  return ending >= 0 || /\/wiki\/|\?/.test(address) ? ending : address.search(WORDS)
}

/**
 * End bare addresses before full-width punctuation, and before words of a script without spaces. Runs after
 * the plugin that finds addresses.
 */
export function shortAddresses(this: unknown): (tree: AddressNode) => void {
  changeConstructs(this, construct =>
    /^(?:www|protocol)Autolink$/.test(construct.name ?? '') ? freeBefore(endAtStops(construct)) : construct,
  )
  return cutFound
}

const mayStandBefore = (code: Code) =>
  code !== null && code > 127 && (isStop(code) || BEFORE_ADDRESS.test(String.fromCodePoint(code)))

/** Wrap a construct so that it may also start directly after a letter of such a script. */
function freeBefore(construct: Construct): Construct {
  const { previous } = construct
  if (!previous) return construct
  return {
    ...construct,
    previous(code) {
      return mayStandBefore(code) || previous.call(this, code)
    },
  }
}

/** Wrap a construct so that it sees the end of the text at such a character. `seen`: the real one. */
const endAtStops = (construct: Construct, seen?: { code: Code }): Construct => ({
  ...construct,
  tokenize(effects, ok, nok) {
    const real = seen ?? { code: null }
    let isOver = false
    // The text after the address is read by other constructs, which see every character.
    const leave =
      (state: State): State =>
      () => {
        isOver = true
        return state(real.code)
      }
    const blinded = new WeakSet<State>()
    const blind = (state: State): State => {
      if (blinded.has(state)) return state
      const own: State = code => {
        if (!seen) real.code = code
        const next = state(isStop(code) ? null : code)
        return next && !isOver ? blind(next) : next
      }
      blinded.add(own)
      return own
    }
    const parts = (method: 'attempt' | 'check') => (part: Construct, good: State, bad: State) =>
      effects[method](endAtStops(part, real), blind(good), blind(bad))
    const own: Effects = { ...effects, attempt: parts('attempt'), check: parts('check') }
    // Such letters count as a space before the address.
    const isFree = !seen && mayStandBefore(this.previous)
    const context = isFree ? (Object.create(this, { previous: { value: 32 } }) as typeof this) : this
    return blind(construct.tokenize.call(context, own, leave(ok), leave(nok)))
  },
})

/** A node of the tree, with the fields used here. */
type AddressNode = {
  type: string
  url?: string
  value?: string
  position?: { start: { offset?: number }; end: { offset?: number } }
  children?: AddressNode[]
}

/** Cut text that was found with an address but does not belong to it. */
function cutFound(tree: AddressNode): void {
  if (!tree.children) return
  tree.children = tree.children.flatMap(node => {
    cutFound(node)
    const label = node.children?.[0]?.value ?? ''
    const at = isBare(node, label) ? placeOfEnd(node, label) : -1
    if (at <= 0) return [node]
    const url = (node.url ?? '').slice(0, (node.url ?? '').length - (label.length - at))
    return [
      { ...node, url, children: [{ type: 'text', value: label.slice(0, at) }] },
      { type: 'text', value: label.slice(at) },
    ]
  })
}

/** Whether an address occurs literally in the text. One found in parsed text has no position. */
function isBare({ type, url = '', position, children }: AddressNode, label: string): boolean {
  if (type !== 'link' || url.startsWith('mailto:') || children?.length !== 1 || !url.endsWith(label))
    return false
  const { start, end } = position ?? { start: {}, end: {} }
  return !position || (end.offset ?? 0) - (start.offset ?? 0) === label.length
}

function placeOfEnd({ position }: AddressNode, label: string): number {
  const stop = position ? -1 : label.search(STOP)
  const end = endOfAddress(stop < 0 ? label : label.slice(0, stop))
  return end < 0 ? stop : end
}
