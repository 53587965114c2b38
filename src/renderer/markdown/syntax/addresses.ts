import { changeConstructs, type Code, type Construct, type Effects, type State } from './tokenizer.ts'

/**
 * Signs that end a bare address: full-width punctuation, brackets and quotes of Chinese, Japanese and Korean, and the sentence
 * marks of Arabic and Hindi. They never stand in an address as they are.
 */
const STOP =
  /[\u2014\u2018-\u201F\u2026\u3000-\u3004\u3008-\u3020\u3030\u303D-\u303F\u30FB\uFE10-\uFE1F\uFE30-\uFE6F\uFF01-\uFF0F\uFF1A-\uFF20\uFF3B-\uFF40\uFF5B-\uFF65\u060C\u061B\u061F\u06D4\u0964\u0965\u00AB\u00BB]/u

const isStop = (code: Code) => code !== null && code > 127 && STOP.test(String.fromCodePoint(code))

/** Bare addresses end before full-width punctuation. Stands behind the plugin that finds them. */
export function shortAddresses(this: unknown): (tree: AddressNode) => void {
  changeConstructs(this, construct =>
    /^(?:www|protocol)Autolink$/.test(construct.name ?? '') ? endAtStops(construct) : construct,
  )
  return cutFound
}

/** The construct, for which the text ends at such a sign. `seen` is what is really there. */
const endAtStops = (construct: Construct, seen?: { code: Code }): Construct => ({
  ...construct,
  tokenize(effects, ok, nok) {
    const real = seen ?? { code: null }
    let isOver = false
    // What comes behind the address is read by others, who see every sign.
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
    return blind(construct.tokenize.call(this, own, leave(ok), leave(nok)))
  },
})

/** A node of the tree, as far as addresses are concerned. */
type AddressNode = {
  type: string
  url?: string
  value?: string
  position?: unknown
  children?: AddressNode[]
}

/** Addresses that were found in finished text, which have no place in it, are cut here. */
function cutFound(tree: AddressNode): void {
  if (!tree.children) return
  tree.children = tree.children.flatMap(node => {
    cutFound(node)
    const label = node.children?.[0]?.value ?? ''
    const at =
      node.type === 'link' && !node.position && !node.url?.startsWith('mailto:') ? label.search(STOP) : -1
    if (at < 0) return [node]
    const address = label.slice(0, at)
    const url = (node.url ?? '').slice(0, (node.url ?? '').length - (label.length - at))
    return [
      { ...node, url, children: [{ type: 'text', value: address }] },
      { type: 'text', value: label.slice(at) },
    ]
  })
}
