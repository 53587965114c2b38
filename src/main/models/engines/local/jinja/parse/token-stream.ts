import type { Token } from './read-tokens.ts'

const end: Token = { kind: 'end', text: '' }

/** The tokens of a tag, read one after the other. */
export class TokenStream {
  readonly #tokens: readonly Token[]
  #at = 0
  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }
  peek(ahead = 0): Token {
    return this.#tokens[this.#at + ahead] ?? end
  }
  next(): Token {
    const token = this.peek()
    this.#at++
    return token
  }
  isOperator(...signs: string[]): boolean {
    const { kind, text } = this.peek()
    return kind === 'operator' && signs.includes(text)
  }
  isName(...words: string[]): boolean {
    const { kind, text } = this.peek()
    return kind === 'name' && words.includes(text)
  }
  /** Skip the operator or word if it comes next, and return whether it did. */
  skip(text: string): boolean {
    const found = this.isOperator(text) || this.isName(text)
    if (found) this.#at++
    return found
  }
  expect(text: string): void {
    if (!this.skip(text)) throw new Error(`"${text}" is expected where "${this.peek().text}" stands`)
  }
  expectName(): string {
    const { kind, text } = this.next()
    if (kind !== 'name') throw new Error(`a name is expected where "${text}" stands`)
    return text
  }
  expectEnd(): void {
    if (this.peek().kind !== 'end') throw new Error(`"${this.peek().text}" stands where the tag should end`)
  }
}
