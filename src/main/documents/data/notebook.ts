import { z } from 'zod'
import { stripVTControlCharacters } from 'node:util'
import { parseJson } from '../../lib/expected-errors.ts'
import { DocumentTrouble, type Reader } from '../document.ts'
import { pageText } from '../web/html.ts'

const joined = z.union([z.string(), z.array(z.string()).transform(lines => lines.join(''))])
const output = z.looseObject({
  output_type: z.string().optional(),
  text: joined.optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  ename: z.string().optional(),
  evalue: z.string().optional(),
})
const notebook = z.looseObject({
  cells: z.array(
    z.looseObject({
      cell_type: z.string(),
      source: joined.default(''),
      outputs: z.array(output).optional(),
      execution_count: z.number().nullish(),
    }),
  ),
  metadata: z
    .looseObject({ kernelspec: z.looseObject({ language: z.string().optional() }).optional() })
    .optional(),
})
type Output = z.output<typeof output>

/** A Jupyter notebook: its texts, code and results in their order. Pictures among the results are named. */
export const readNotebook: Reader = ({ text }) => {
  const parsed = notebook.safeParse(parseJson(text?.text ?? ''))
  if (!parsed.success)
    throw new DocumentTrouble('is damaged, or a notebook of a version that is not known here')
  const { cells, metadata } = parsed.data
  const language = metadata?.kernelspec?.language ?? ''
  const parts = cells.flatMap(({ cell_type, source, outputs, execution_count }) => {
    if (cell_type !== 'code') return source.trim() === '' ? [] : [source.trim()]
    const code = `[code${execution_count == null ? '' : ` ${execution_count}`}]\n\`\`\`${language}\n${source.trimEnd()}\n\`\`\``
    const results = (outputs ?? []).map(outputText).filter(each => each !== '')
    return [code, ...results.map(each => `[result]\n${each}`)]
  })
  return { pages: [parts.join('\n\n')], problems: [] }
}

function outputText({ output_type, text, data, ename, evalue }: Output): string {
  if (output_type === 'error') return `${ename ?? 'Error'}: ${evalue ?? ''}`
  if (text !== undefined) return stripVTControlCharacters(text).trimEnd()
  if (!data) return ''
  const plain = joined.safeParse(data['text/plain'])
  const html = joined.safeParse(data['text/html'])
  const picture = Object.keys(data).find(type => type.startsWith('image/'))
  if (picture !== undefined) return `(a picture: ${picture})`
  if (html.success && /<table/i.test(html.data)) return pageText(html.data).text
  return plain.success ? plain.data.trimEnd() : html.success ? pageText(html.data).text : ''
}
