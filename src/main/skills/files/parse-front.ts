import { frontMap, type FrontMap } from './front-value.ts'
import { isMisread, mapOf, recoverFront } from './recover-front.ts'
import { parseSimple } from './simple-yaml.ts'
import { yamlFront } from './yaml-front.ts'

/** Parsed front matter and its problems. Lines count from 1 within the front matter. */
export type ParsedFront = {
  map: FrontMap
  issues: { line: number; rule: string; text: string }[]
}

const LONGEST = 32_000

/** Read front matter: with the fast parser, else as YAML, else field by field. Never throws. */
export function parseFront(front: string): ParsedFront {
  if (front.trim() === '') return { map: frontMap(), issues: [] }
  const issues: ParsedFront['issues'] = []
  let text = front
  if (text.length > LONGEST) {
    text = text.slice(0, text.lastIndexOf('\n', LONGEST) + 1)
    const said = `The front matter is far too long; only its first ${LONGEST.toLocaleString('en')} characters were read.`
    issues.push({
      line: 1,
      rule: 'front-matter-length',
      text: `${said} Move what is no field into the body.`,
    })
  }
  const simple = parseSimple(text)
  if (simple !== undefined && !isMisread(simple)) return { map: simple, issues }
  const read = yamlFront(text)
  if ('map' in read && !isMisread(read.map)) {
    for (const { line, key } of read.dropped) {
      const name = key === '' ? 'A field without a plain name' : `The field \`${key}\``
      issues.push({ line, rule: 'field-name', text: `${name} was left out. Give it another name.` })
    }
    return { map: read.map, issues }
  }
  const fields = recoverFront(text)
  for (const { line, key, trouble } of fields) {
    if (trouble === undefined) continue
    const said = `\`${key}\` is no valid YAML (${trouble.replace(/\.$/, '')}), so it was read as plain text.`
    issues.push({
      line,
      rule: 'yaml',
      text: `${said} Put a space after the colon and the value in double quotes.`,
    })
  }
  if (!fields.some(field => field.trouble !== undefined)) {
    const { line, why } =
      'broken' in read ? { line: read.line, why: read.broken } : { line: 1, why: 'a colon is misplaced' }
    const said = `The front matter is no valid YAML (${why.replace(/\.$/, '')}), so it was read field by field.`
    issues.push({ line, rule: 'yaml', text: `${said} Write each field as \`name: value\`.` })
  }
  return { map: mapOf(fields), issues }
}
