import { unframeText } from '../../untrusted/strangers-text.ts'
import { many } from '../../../shared/text/amounts.ts'
import { listPoints, textIn, writeBlock, writeCode, writeWords } from '../../tools/tell/plain-markdown.ts'
import { tellFailed } from '../../tools/tell/tell-failure.ts'

type Input = Record<string, unknown>
type Result = { ok: boolean; text: string }

/** Say which pages a search found. */
export function tellSearch(input: Input, { ok, text: given }: Result): string {
  if (!ok) return tellFailed('search the web', given)
  const text = unframeText(given)
  const [, source = '', count = ''] = /^([^\n]+) found (\d+) pages?\./.exec(text) ?? []
  const words = writeCode(textIn(input, 'query'))
  if (source === '') return `I found nothing on the web for ${words}.`
  const found = [...text.matchAll(/^\[\d+\] ([^\n]+)\n(https?:\/\/[^\n]+)$/gm)]
  const points = found.map(
    ([, title = '', address = '']) => `${writeWords(title, 200)}: ${writeCode(address)}`,
  )
  return `${writeWords(source)} found ${many(Number(count), 'page')} for ${words}:\n\n${listPoints(points, 10)}`
}

/** Say what is on a page. */
export function tellPage(input: Input, { ok, text: given }: Result): string {
  const address = writeCode(textIn(input, 'address'))
  if (!ok) return tellFailed(`read ${address}`, given)
  const text = unframeText(given)
  const [, part = '1', all = '1'] = /^\[\d+\] \S+, page (\d+) of (\d+)\./.exec(text) ?? []
  const which = all === '1' ? '' : `, part ${part} of ${all}`
  return `On the page ${address}${which}:\n\n${writeBlock(text.slice(text.indexOf('\n') + 1)).block}`
}
