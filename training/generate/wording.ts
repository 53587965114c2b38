/**
 * Wordings are written in short: `(a|b|)` is one of several, `{slot}` stands for words. “(please |)read {path}” is two
 * wordings.
 */
type Node = { kind: 'text'; text: string } | { kind: 'slot'; name: string } | { kind: 'choice'; of: Node[][] }

/** A part of what somebody says: their own phrasing, or the words in a slot, which no slip of the pen touches. */
export type Said = { text: string; isSlot: boolean }

type Pick = <T>(list: readonly T[]) => T

const compiled = new Map<string, Node[]>()

function compile(template: string): Node[] {
  const known = compiled.get(template)
  if (known) return known
  let at = 0
  const sequence = (inside: boolean): Node[] => {
    const nodes: Node[] = []
    let text = ''
    const flush = () => {
      if (text !== '') nodes.push({ kind: 'text', text })
      text = ''
    }
    while (at < template.length) {
      const letter = template[at]
      if (inside && (letter === '|' || letter === ')')) break
      at++
      if (letter === '(') {
        flush()
        const of = [sequence(true)]
        while (template[at] === '|') {
          at++
          of.push(sequence(true))
        }
        if (template[at] !== ')') throw new Error(`A parenthesis stays open in “${template}”.`)
        at++
        nodes.push({ kind: 'choice', of })
      } else if (letter === '{') {
        flush()
        const end = template.indexOf('}', at)
        if (end < 0) throw new Error(`A slot stays open in “${template}”.`)
        nodes.push({ kind: 'slot', name: template.slice(at, end) })
        at = end + 1
      } else text += letter
    }
    flush()
    return nodes
  }
  const nodes = sequence(false)
  compiled.set(template, nodes)
  return nodes
}

/** One way to say a template; `fill` gives the words of a slot. */
export function sayOne(template: string, pick: Pick, fill: (slot: string) => string): Said[] {
  const say = (nodes: readonly Node[]): Said[] =>
    nodes.flatMap(node => {
      if (node.kind === 'text') return [{ text: node.text, isSlot: false }]
      if (node.kind === 'slot') return [{ text: fill(node.name), isSlot: true }]
      return say(pick(node.of))
    })
  return say(compile(template))
}

/** All ways to say a template, with its slots left open. */
export function waysToSay(template: string): string[] {
  const ways = (nodes: readonly Node[]): string[] =>
    nodes.reduce<string[]>(
      (before, node) => {
        const here =
          node.kind === 'text'
            ? [node.text]
            : node.kind === 'slot'
              ? [`{${node.name}}`]
              : node.of.flatMap(ways)
        return before.flatMap(start => here.map(end => start + end))
      },
      [''],
    )
  return ways(compile(template))
}

/** The slots that a template names. */
export const slotsOf = (template: string): string[] => [
  ...new Set([...template.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name!)),
]

/** The wordings of one intent: those that training uses, those that only the test does, and the orders of the training. */
export type Wordings = { train: readonly string[]; test: readonly string[]; orders?: readonly string[] }

/** Ways to ask for what could also be ordered; `{do}` is the order. */
const FRAMES = {
  train: [
    '(please|pls|can you|could you|would you|can you please|could you please|please could you|will you|wont you|can u|could u pls|can you just|could you quickly|would you please) {do}',
    "(i want you to|i'd like you to|i need you to|i would like you to|i'd love you to|i expect you to|i'd rather you|you should|you must|you need to|you have to|you can|you may|you'd better|please be so good and) {do}",
    "(just|simply|quickly|now|first|next|then|also|let's|let us|go ahead and|try to|go and|come on,|hurry up and|feel free to|for a start,|don't hesitate to|help me to|time to|it's time to) {do}",
    "(are you able to|is it ok to|may i ask you to|would it be possible to|is it possible for you to|is there a way to|do you think you can|why don't you|why not|can i get you to|could i trouble you to|can we|shall we|are you willing to) {do}",
    '(computer|assistant|bot|mate|buddy|my friend|dear talaria|you there|listen|look), {do}',
    '(order|request|instruction|small request|my wish|what i need|what i want|all i want|here is a job|a job for you): {do}',
  ],
  test: [
    '(would you be so kind as to|i was hoping you could|do me a favour and|kindly|perhaps you could) {do}',
    '(be a dear and|your task is to|it would be great if you could|i wonder if you could|make sure to) {do}',
    "(might you|any chance you could|i'm asking you to|the next thing is to) {do}",
  ],
}

/** More of them, for training alone: the less an opening is like one that was seen, the more it must be passed over. */
const OPENINGS = [
  "(it would be|it'd be|that would be|would be|it is) (nice|good|lovely|helpful|useful|fantastic|wonderful|perfect|important|best) (if you would|if you did this: |to have you|for you to|that you) {do}",
  '(my|the|your) (job|duty|mission|order|goal|first job|next job|new assignment|turn now) (today |now |)(is to|will be to|was to|: ) {do}',
  '(be so nice|be nice|be good|be helpful|be a friend|be an angel|be quick|be brave) (and|to) {do}',
  '(i was wondering|i wanted to ask|i came to ask|i am curious) (if|whether) you (can|could|would|are able to) {do}',
  '(maybe|possibly|ideally|preferably|if it suits you|one day|in case you are free)(, | )(you could|you can|could you|we could|you might want to) {do}',
  '(help me out|do us a service|do me the kindness|save me the work|give me a hand|please help me)( and|:|,) {do}',
  '(see to it that you|see that you|be sure to|do please|please do|by all means|without delay|before lunch|before anything else) {do}',
  '(the first|the last|a next|another|one more|my only) (step|job|wish|point|item) (is|would be|will be) (to|that you) {do}',
  '(is there any|have you any|have we any) (possibility|hope|way|option) (that you|you could|to|of having you) {do}',
  '{noise} {do}',
  '({noise}, {do}|{noise}: {do}|{noise} to {do}|{noise} and {do})',
]

/** An order behind an opening of any kind. */
export const withOpening = (pick: Pick, orders: readonly string[]): string =>
  pick(OPENINGS).replaceAll('{do}', () => pick(orders))

/**
 * Wordings written one a line; those below a line of three dashes are kept for the test. A line that begins with `! ` is
 * an order, which is also given in the form of a wish or a question.
 */
export function wordings(text: string): Wordings {
  const [train = '', test = ''] = text.split(/^\s*---\s*$/m)
  const orders = ordersOf(linesIn(train))
  return {
    train: linesOf(train, FRAMES.train),
    test: linesOf(test, FRAMES.test),
    ...(orders.length > 0 && { orders }),
  }
}

const linesIn = (part: string): string[] =>
  part
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')

const ordersOf = (lines: readonly string[]): string[] =>
  lines.filter(line => line.startsWith('! ')).map(line => line.slice(2))

function linesOf(part: string, frames: readonly string[]): string[] {
  const lines = linesIn(part)
  const orders = ordersOf(lines)
  const plain = lines.map(line => line.replace(/^! /, ''))
  if (orders.length === 0) return plain
  // All orders in one line, so that being wished for is no more frequent than a few other ways to say it.
  const all = orders.length === 1 ? orders[0]! : `(${orders.join('|')})`
  return [...plain, ...frames.map(frame => frame.replace('{do}', () => all))]
}
