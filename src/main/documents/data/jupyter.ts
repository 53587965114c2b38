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
  // In version 3, the contents of `data`.
  html: joined.optional(),
  png: z.unknown().optional(),
  jpeg: z.unknown().optional(),
  svg: z.unknown().optional(),
})
const cell = z.looseObject({
  cell_type: z.string(),
  source: joined.default(''),
  outputs: z.array(output).optional(),
  execution_count: z.number().nullish(),
  // Version 3.
  input: joined.optional(),
  prompt_number: z.number().nullish(),
  level: z.number().optional(),
})
const notebook = z.looseObject({
  cells: z.array(cell).optional(),
  worksheets: z.array(z.looseObject({ cells: z.array(cell).default([]) })).optional(),
  metadata: z
    .looseObject({ kernelspec: z.looseObject({ language: z.string().optional() }).optional() })
    .optional(),
})
type Output = z.output<typeof output>

/** Read a Jupyter notebook: its texts, code and results in order. Pictures in results are only mentioned. */
export const readNotebook: Reader = ({ text }) => {
  const parsed = notebook.safeParse(parseJson(text?.text ?? ''))
  const cells = parsed.data?.cells ?? parsed.data?.worksheets?.flatMap(sheet => sheet.cells)
  if (!parsed.success || !cells)
    throw new DocumentTrouble('is damaged, or a notebook of a version that is not known here')
  const { metadata } = parsed.data
  const language = metadata?.kernelspec?.language ?? ''
  const parts = cells.flatMap(
    ({ cell_type, source, outputs, execution_count, input, prompt_number, level }) => {
      if (cell_type !== 'code') {
        const heading = cell_type === 'heading' ? `${'#'.repeat(level ?? 1)} ` : ''
        return source.trim() === '' ? [] : [heading + source.trim()]
      }
      const count = execution_count ?? prompt_number
      const code = `[code${count == null ? '' : ` ${count}`}]\n\`\`\`${language}\n${(input ?? source).trimEnd()}\n\`\`\``
      const results = joinStreams(outputs ?? [])
        .map(outputText)
        .filter(each => each !== '')
      return [code, ...results.map(each => `[result]\n${each}`)]
    },
  )
  return { pages: [parts.join('\n\n')], problems: [] }
}

/** Join the pieces in which a program's output is stored. */
function joinStreams(outputs: readonly Output[]): Output[] {
  const joint: Output[] = []
  for (const each of outputs) {
    const last = joint.at(-1)
    if (each.output_type === 'stream' && last?.output_type === 'stream')
      joint[joint.length - 1] = { ...last, text: (last.text ?? '') + (each.text ?? '') }
    else joint.push(each)
  }
  return joint
}

function outputText({ output_type, text, data, ename, evalue, html, png, jpeg, svg }: Output): string {
  if (output_type === 'error' || output_type === 'pyerr') return `${ename ?? 'Error'}: ${evalue ?? ''}`
  const told = joined.safeParse(data?.['text/html'])
  const page = html ?? told.data
  const old =
    png !== undefined
      ? 'image/png'
      : jpeg !== undefined
        ? 'image/jpeg'
        : svg !== undefined
          ? 'image/svg+xml'
          : undefined
  const picture = old ?? Object.keys(data ?? {}).find(type => type.startsWith('image/'))
  if (picture !== undefined) return `(a picture: ${picture})`
  if (page !== undefined && /<table/i.test(page)) return pageText(page).text
  const plain = text ?? joined.safeParse(data?.['text/plain']).data
  if (plain !== undefined) return stripVTControlCharacters(plain).trimEnd()
  return page === undefined ? '' : pageText(page).text
}
